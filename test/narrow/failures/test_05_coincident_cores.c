/*
 * Failure mode 5: coincident or overlapping cores. Capsules of zero length or on one line, a sphere's centre in a box, on its surface or at
 * its corner, bodies inside each other: elsewhere contacts are lost, or normals are zero. All have a depth in closed form.
 */
#include "support/figure.h"

static const double scales[] = {1.0, 1e-6, 1e6};
static const double quarter = 1.5707963267948966;

#define BALL(radius, x, y, z)                                 \
    {                                                         \
        .kind = FIGURE_SPHERE, .p = radius, .at = { x, y, z } \
    }
#define POINT(radius, x, y, z)                                         \
    {                                                                  \
        .kind = FIGURE_CAPSULE, .p = radius, .q = 0, .at = { x, y, z } \
    }
#define UPRIGHT(radius, half, x, y, z)                                    \
    {                                                                     \
        .kind = FIGURE_CAPSULE, .p = radius, .q = half, .at = { x, y, z } \
    }
#define LYING(radius, half, x, y, z)                                                               \
    {                                                                                              \
        .kind = FIGURE_CAPSULE, .p = radius, .q = half, .at = {x, y, z}, .turn = { 0, quarter, 0 } \
    }
#define BOX(hx, hy, hz) \
    { .kind = FIGURE_BOX, .p = hx, .q = hy, .r = hz }
#define PRISM(radius, half, sides) \
    { .kind = FIGURE_PRISM, .p = radius, .q = half, .r = sides }
#define PLANE \
    { .kind = FIGURE_PLANE }

/* A capsule of zero length is a ball. */
static void capsules_of_no_length(void **state) {
    (void)state;
    const figure_case cases[] = {
        {"two", POINT(0.5, 0, 0.3, 0.4), POINT(0.25, 0, 0, 0), -0.25, {0, 0.6, 0.8}, 1, 0, 0},
        {"two, touching", POINT(0.25, 0, 0.3, 0.4), POINT(0.25, 0, 0, 0), 0.0, {0, 0.6, 0.8}, 1, 0, 0},
        {"two, apart", POINT(0.125, 0, 0.3, 0.4), POINT(0.25, 0, 0, 0), 0.125, {0, 0.6, 0.8}, 1, 0, 0},
        {"two in one place", POINT(0.5, 0, 0, 0), POINT(0.25, 0, 0, 0), -0.75, {0, 0, 0}, 1, 0, 0},
        {"and a ball", POINT(0.5, 0, 0, 0), BALL(0.25, 0, 0, 0), -0.75, {0, 0, 0}, 1, 0, 0},
        {"on a capsule's axis", POINT(0.5, 0, 0, 0.1), UPRIGHT(0.25, 1, 0, 0, 0), -0.75, {0, 0, 0}, 1, 0, 0},
        {"at a capsule's end", POINT(0.5, 0, 0, 1), UPRIGHT(0.25, 1, 0, 0, 0), -0.75, {0, 0, 0}, 1, 0, 0},
        {"beyond a capsule's end", POINT(0.5, 0, 0, 1.5), UPRIGHT(0.25, 1, 0, 0, 0), -0.25, {0, 0, 1}, 1, 0, 0},
        {"on a box", POINT(0.5, 0.2, 0.1, 1.4), BOX(1, 1, 1), -0.1, {0, 0, 1}, 1, 0, 0},
        {"in a box", POINT(0.5, 0.2, 0.1, 0.7), BOX(1, 1, 1), -0.8, {0, 0, 1}, 1, 0, 0},
        {"in the middle of a box", POINT(0.5, 0, 0, 0), BOX(1, 2, 3), -1.5, {0, 0, 0}, 1, 0, 0},
        {"on a plane", POINT(0.5, 3, 1, 0.4), PLANE, -0.1, {0, 0, 1}, 1, 0, 0},
        {"with its centre in a plane", POINT(0.5, 3, 1, 0), PLANE, -0.5, {0, 0, 1}, 1, 0, 0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

static void capsules_on_one_line(void **state) {
    (void)state;
    const figure_case cases[] = {
        {"overlapping", LYING(0.2, 1, 0.5, 0, 0), LYING(0.3, 1, 0, 0, 0), -0.5, {0, 0, 0}, 2, 0, 0},
        {"the same", LYING(0.2, 1, 0, 0, 0), LYING(0.2, 1, 0, 0, 0), -0.4, {0, 0, 0}, 2, 0, 0},
        {"one within the other", LYING(0.2, 0.25, 0.1, 0, 0), LYING(0.3, 1, 0, 0, 0), -0.5, {0, 0, 0}, 2, 0, 0},
        {"end in end", LYING(0.2, 1, 2, 0, 0), LYING(0.3, 1, 0, 0, 0), -0.5, {0, 0, 0}, 0, 0, 0},
        {"end to end", LYING(0.2, 1, 2.25, 0, 0), LYING(0.3, 1, 0, 0, 0), -0.25, {1, 0, 0}, 1, 0, 0},
        {"end to end, touching", LYING(0.25, 1, 2.5, 0, 0), LYING(0.25, 1, 0, 0, 0), 0.0, {1, 0, 0}, 1, 0, 0},
        {"end to end, apart", LYING(0.25, 1, 3, 0, 0), LYING(0.25, 1, 0, 0, 0), 0.5, {1, 0, 0}, 1, 0, 0},
        {"crossing in the middle", LYING(0.2, 1, 0, 0, 0), UPRIGHT(0.3, 1, 0, 0, 0), -0.5, {0, 0, 0}, 1, 0, 0},
        {"crossing off the middle", LYING(0.2, 1, 0.7, 0, 0.4), UPRIGHT(0.3, 1, 0, 0, 0), -0.5, {0, 0, 0}, 1, 0, 0},
        {"an end on the axis", LYING(0.2, 1, 1, 0, 0.4), UPRIGHT(0.3, 1, 0, 0, 0), -0.5, {0, 0, 0}, 1, 0, 0},
        {"ends together, square", LYING(0.2, 1, 1, 0, 1), UPRIGHT(0.3, 1, 0, 0, 0), -0.5, {0, 0, 0}, 1, 0, 0},
        {"side by side", LYING(0.2, 1, 0.5, 0, 0.35), LYING(0.2, 1, 0, 0, 0), -0.05, {0, 0, 1}, 2, 0, 0},
        {"side by side, touching", LYING(0.25, 1, 0.5, 0, 0.5), LYING(0.25, 1, 0, 0, 0), 0.0, {0, 0, 1}, 2, 0, 0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

static void balls_within_bodies(void **state) {
    (void)state;
    const figure_case cases[] = {
        {"in a ball, one centre", BALL(0.25, 0, 0, 0), BALL(2, 0, 0, 0), -2.25, {0, 0, 0}, 1, 0, 0},
        {"in a ball", BALL(0.25, 0, 0, 0.1), BALL(2, 0, 0, 0), -2.15, {0, 0, 1}, 1, 0, 0},
        {"in a box", BALL(0.5, 0.2, -0.7, 0.3), BOX(1, 1, 1), -0.8, {0, -1, 0}, 1, 0, 0},
        {"in the middle of a cube", BALL(0.5, 0, 0, 0), BOX(1, 1, 1), -1.5, {0, 0, 0}, 1, 0, 0},
        {"centre on a face", BALL(0.5, 0.2, 0.1, 1), BOX(1, 1, 1), -0.5, {0, 0, 1}, 1, 0, 0},
        {"centre on an edge", BALL(0.5, 0.2, 1, 1), BOX(1, 1, 1), -0.5, {0, 0, 0}, 1, 0, 0},
        {"centre on a corner", BALL(0.5, 1, 1, 1), BOX(1, 1, 1), -0.5, {0, 0, 0}, 1, 0, 0},
        {"tiny, centre on a corner", BALL(1e-6, 1, 1, 1), BOX(1, 1, 1), -1e-6, {0, 0, 0}, 1, 0, 0},
        {"centre on a cylinder's rim", BALL(0.5, 1, 0, 0.5), PRISM(1, 0.5, 32), -0.5, {0, 0, 0}, 1, 0, 0},
        {"in the middle of a cylinder", BALL(0.5, 0, 0, 0), PRISM(1, 0.5, 32), -1.0, {0, 0, 0}, 1, 0, 0},
        {"large about a small box", BALL(5, 0, 0, 0.01), BOX(0.1, 0.1, 0.1), -5.09, {0, 0, 1}, 1, 0, 0},
        {"on a plane", BALL(0.5, 1, 2, 0), PLANE, -0.5, {0, 0, 1}, 1, 0, 0},
        {"deep under a plane", BALL(0.5, 1, 2, -7), PLANE, -7.5, {0, 0, 1}, 1, 0, 0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

static void capsules_within_bodies(void **state) {
    (void)state;
    const figure_case cases[] = {
        {"through a slab", UPRIGHT(0.1, 2, 0.3, 0.2, 0.5), BOX(5, 5, 0.25), -1.85, {0, 0, 1}, 1, 0, 0},
        {"in a slab, lying", LYING(0.1, 1, 0.3, 0.2, 0.05), BOX(5, 5, 0.25), -0.3, {0, 0, 1}, 2, 0, 0},
        {"in the middle of a slab", LYING(0.1, 1, 0, 0, 0), BOX(5, 5, 0.25), -0.35, {0, 0, 0}, 2, 0, 0},
        {"axis in a face", LYING(0.1, 0.5, 0.3, 0.2, 0.25), BOX(5, 5, 0.25), -0.1, {0, 0, 1}, 2, 0, 0},
        {"axis along an edge", LYING(0.1, 0.5, 0.3, 1, 0.25), BOX(5, 1, 0.25), -0.1, {0, 0, 0}, 2, 0, 0},
        {"end on a corner", UPRIGHT(0.1, 0.5, 1, 1, 1.5), BOX(1, 1, 1), -0.1, {0, 0, 0}, 0, 0, 0},
        {"along a cylinder's axis", UPRIGHT(0.1, 0.5, 0, 0, 0), PRISM(1, 3, 32), -(0.1 + 0.9951847266721969), {0, 0, 0}, 2, 0, 0},
        {"on a plane, half sunk", LYING(0.1, 0.5, 0, 0, 0), PLANE, -0.1, {0, 0, 1}, 2, 0, 0},
        {"standing through a plane", UPRIGHT(0.1, 0.5, 0, 0, 0), PLANE, -0.6, {0, 0, 1}, 1, 0, 0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(capsules_of_no_length),
        cmocka_unit_test(capsules_on_one_line),
        cmocka_unit_test(balls_within_bodies),
        cmocka_unit_test(capsules_within_bodies),
    };
    return cmocka_run_group_tests_name("narrow/failures/coincident_cores", tests, NULL, NULL);
}
