/*
 * Failure mode 3: the depth along a ray or portal is taken for the least depth. Elsewhere this gives 59.5 instead of 0.0617 for a small
 * cylinder on a large triangle, and six times the depth for neighbouring pieces of a decomposition. Tested: small bodies on large ones, and
 * long and flat bodies that overlap thinly.
 */
#include "support/figure.h"

#define SLAB_OF_A_TRIANGLE \
    { .kind = FIGURE_PRISM, .p = 100, .q = 0.5, .r = 3 }
#define CYLINDER_AT(x, y, z)                                                 \
    {                                                                        \
        .kind = FIGURE_PRISM, .p = 0.1, .q = 0.1, .r = 32, .at = { x, y, z } \
    }
#define BOX_AT(hx, hy, hz, x, y, z)                                      \
    {                                                                    \
        .kind = FIGURE_BOX, .p = hx, .q = hy, .r = hz, .at = { x, y, z } \
    }

static const double scales[] = {1.0, 1e-3, 1e3};
/* Area of a regular 32-gon in a circle of 0.1: 32 / 2 sin(2 pi / 32) 0.01. */
static const double round_area = 0.031214451522580524;

/* The triangle's corners lie 100 from its middle, its sides 50. */
static void small_cylinder_on_a_large_triangle(void **state) {
    (void)state;
    const figure_case cases[] = {
        {"over the middle", CYLINDER_AT(0, 0, 0.5383), SLAB_OF_A_TRIANGLE, -0.0617, {0, 0, 1}, 32, round_area, 0},
        {"off the middle", CYLINDER_AT(-20, 37, 0.5383), SLAB_OF_A_TRIANGLE, -0.0617, {0, 0, 1}, 32, round_area, 0},
        {"towards a corner", CYLINDER_AT(90, 0.5, 0.5383), SLAB_OF_A_TRIANGLE, -0.0617, {0, 0, 1}, 32, round_area, 0},
        {"near a side", CYLINDER_AT(-49.8, 3, 0.5383), SLAB_OF_A_TRIANGLE, -0.0617, {0, 0, 1}, 32, round_area, 0},
        {"over a side", CYLINDER_AT(-50, 3, 0.5383), SLAB_OF_A_TRIANGLE, -0.0617, {0, 0, 1}, 0, 0.5 * round_area, 0},
        {"a ball", {.kind = FIGURE_SPHERE, .p = 0.1, .at = {-20, 37, 0.5383}}, SLAB_OF_A_TRIANGLE, -0.0617, {0, 0, 1}, 1, 0, 0},
        {"a capsule, lying",
         {.kind = FIGURE_CAPSULE, .p = 0.1, .q = 0.2, .at = {-20, 37, 0.5383}, .turn = {1.5707963267948966, 0, 0.3}},
         SLAB_OF_A_TRIANGLE,
         -0.0617,
         {0, 0, 1},
         2,
         0,
         0},
        {"a cone",
         {.kind = FIGURE_CONE, .p = 0.1, .q = 0.4, .r = 16, .at = {-20, 37, 0.5383}},
         SLAB_OF_A_TRIANGLE,
         -0.0617,
         {0, 0, 1},
         16,
         0.0306146745892072,
         0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

/* Neighbours with a small overlap along one side and their whole length along the others. */
static void pieces_of_a_decomposition(void **state) {
    (void)state;
    static const figure_case cases[] = {
        {"bars end to end", BOX_AT(5, 0.1, 0.1, 9.999, 0, 0), BOX_AT(5, 0.1, 0.1, 0, 0, 0), -1e-3, {1, 0, 0}, 4, 0.04, 0},
        {"bars side by side", BOX_AT(5, 0.1, 0.1, 0, 0.199, 0), BOX_AT(5, 0.1, 0.1, 0, 0, 0), -1e-3, {0, 1, 0}, 4, 2.0, 0},
        {"bars side by side, one farther on", BOX_AT(5, 0.1, 0.1, 9, 0.199, 0), BOX_AT(5, 0.1, 0.1, 0, 0, 0), -1e-3, {0, 1, 0}, 4, 0.2, 0},
        {"plate on plate", BOX_AT(10, 10, 0.05, 0, 0, 0.0999), BOX_AT(10, 10, 0.05, 0, 0, 0), -1e-4, {0, 0, 1}, 4, 400, 0},
        {"plate on plate, at a corner", BOX_AT(10, 10, 0.05, 19, 18, 0.0999), BOX_AT(10, 10, 0.05, 0, 0, 0), -1e-4, {0, 0, 1}, 4, 2, 0},
        {"plate against a wall", BOX_AT(10, 10, 0.05, 10.0999, 3, 0), BOX_AT(0.1, 20, 20, 0, 0, 0), -1e-4, {1, 0, 0}, 4, 2, 0},
        {"cube at the rim of a slab", BOX_AT(0.5, 0.5, 0.5, 5.45, 0, 0.99), BOX_AT(5, 5, 0.5, 0, 0, 0), -0.01, {0, 0, 1}, 4, 0.05, 0},
        {"cube on a wide slab", BOX_AT(0.5, 0.5, 0.5, 300, -420, 0.999), BOX_AT(500, 500, 0.5, 0, 0, 0), -1e-3, {0, 0, 1}, 4, 1, 0},
        {"pin in a plate", BOX_AT(0.01, 0.01, 3, 4, 2, 0), BOX_AT(5, 5, 0.05, 0, 0, 0), -1.01, {1, 0, 0}, 4, 0.002, 0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(small_cylinder_on_a_large_triangle), cmocka_unit_test(pieces_of_a_decomposition)};
    return cmocka_run_group_tests_name("narrow/failures/least_not_along_a_ray", tests, NULL, NULL);
}
