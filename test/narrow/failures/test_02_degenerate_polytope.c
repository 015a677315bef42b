/*
 * Failure mode 2: a depth read off a degenerate polytope. Elsewhere 0.85 becomes 1e-8, face-aligned stacks become 0, and a contained box
 * becomes 0.235 instead of 0.4. Depths are in closed form. Each is checked against its certificate, the extent of A - B along the normal.
 */
#include "support/figure.h"

static const double scales[] = {1.0, 1e-4, 1e4};

#define CUBE \
    { .kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5 }
#define CUBE_AT(x, y, z)                                                    \
    {                                                                       \
        .kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .at = { x, y, z } \
    }
#define BOX_AT(hx, hy, hz, x, y, z)                                      \
    {                                                                    \
        .kind = FIGURE_BOX, .p = hx, .q = hy, .r = hz, .at = { x, y, z } \
    }
#define PRISM_AT(radius, half, sides, x, y, z)                                      \
    {                                                                               \
        .kind = FIGURE_PRISM, .p = radius, .q = half, .r = sides, .at = { x, y, z } \
    }

static void deep(void **state) {
    (void)state;
    static const figure_case cases[] = {
        {"cubes 0.85 into each other", CUBE_AT(0.15, 0.05, 0.02), CUBE, -0.85, {1, 0, 0}, 4, 0.95 * 0.98, 0},
        {"cubes 0.999 into each other", CUBE_AT(0.0005, 0.001, 0), CUBE, -0.999, {0, 1, 0}, 4, 0.9995, 0},
        {"bars that cross in the middle", BOX_AT(1, 0.1, 0.1, 0, 0, 0), BOX_AT(0.1, 1, 0.1, 0, 0, 0.0125), -0.1875, {0, 0, -1}, 4, 0.04, 0},
        {"bars that cross off the middle", BOX_AT(1, 0.1, 0.1, 0.7, 0.6, 0.05), BOX_AT(0.1, 1, 0.1, 0, 0, 0), -0.15, {0, 0, 1}, 4, 0.04, 0},
        {"plates that cross", BOX_AT(1, 1, 0.01, 0.25, 0, 0), BOX_AT(0.01, 1, 1, 0, 0, 0), -0.76, {1, 0, 0}, 4, 0.04, 0},
        {"cylinders one in the other's axis",
         PRISM_AT(0.5, 0.5, 32, 0, 0, 0.25),
         PRISM_AT(0.5, 0.5, 32, 0, 0, 0),
         -0.75,
         {0, 0, 1},
         32,
         0,
         0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

static void aligned_stacks(void **state) {
    (void)state;
    static const figure_case cases[] = {
        {"cube on cube, touching", CUBE_AT(0, 0, 1), CUBE, 0.0, {0, 0, 1}, 4, 1.0, 0},
        {"cube on cube, a millionth", CUBE_AT(0, 0, 0.999999), CUBE, -1e-6, {0, 0, 1}, 4, 1.0, 0},
        {"cube on cube, a thousandth", CUBE_AT(0, 0, 0.999), CUBE, -1e-3, {0, 0, 1}, 4, 1.0, 0},
        {"cube on cube, a quarter", CUBE_AT(0, 0, 0.75), CUBE, -0.25, {0, 0, 1}, 4, 1.0, 0},
        {"cube beside cube", CUBE_AT(0.99, 0, 0), CUBE, -0.01, {1, 0, 0}, 4, 1.0, 0},
        {"cube on cube, two sides in line", CUBE_AT(0, 0.25, 0.99), CUBE, -0.01, {0, 0, 1}, 4, 0.75, 0},
        {"small cube in the corner of a large one", BOX_AT(0.25, 0.25, 0.25, 0.25, 0.25, 0.74), CUBE, -0.01, {0, 0, 1}, 4, 0.25, 0},
        {"plate on plate", BOX_AT(1, 1, 0.01, 0, 0, 0.019), BOX_AT(1, 1, 0.01, 0, 0, 0), -0.001, {0, 0, 1}, 4, 4.0, 0},
        {"triangles", PRISM_AT(0.5, 0.5, 3, 0, 0, 0.99), PRISM_AT(0.5, 0.5, 3, 0, 0, 0), -0.01, {0, 0, 1}, 3, 0.3247595264191645, 0},
        {"hexagons", PRISM_AT(0.5, 0.5, 6, 0, 0, 0.99), PRISM_AT(0.5, 0.5, 6, 0, 0, 0), -0.01, {0, 0, 1}, 6, 0.649519052838329, 0},
        {"cylinders", PRISM_AT(0.5, 0.5, 64, 0, 0, 0.99), PRISM_AT(0.5, 0.5, 64, 0, 0, 0), -0.01, {0, 0, 1}, 64, 0.784137122636483, 0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

/* A body inside another: the way out is through the nearest face, by its distance plus the whole width of the body. */
static void contained(void **state) {
    (void)state;
    static const figure_case cases[] = {
        {"box in the middle of a box", BOX_AT(0.1, 0.1, 0.1, 0, 0, 0), BOX_AT(0.3, 0.5, 0.6, 0, 0, 0), -0.4, {0, 0, 0}, 4, 0.04, 0},
        {"box in a box", BOX_AT(0.1, 0.1, 0.1, 0.05, 0.02, 0.01), BOX_AT(0.3, 0.5, 0.6, 0, 0, 0), -0.35, {1, 0, 0}, 4, 0.04, 0},
        {"box inside against a wall", BOX_AT(0.1, 0.1, 0.1, 0.2, 0.02, 0.01), BOX_AT(0.3, 0.5, 0.6, 0, 0, 0), -0.2, {1, 0, 0}, 4, 0.04, 0},
        {"cubes with one centre", BOX_AT(0.25, 0.25, 0.25, 0, 0, 0), CUBE, -0.75, {0, 0, 0}, 4, 0.25, 0},
        {"turned cube in a slab",
         {.kind = FIGURE_BOX, .p = 0.1, .q = 0.1, .r = 0.1, .at = {0.3, 0.2, 0.05}, .turn = {0, 0.7853981633974483, 0}},
         BOX_AT(5, 5, 0.5, 0, 0, 0),
         -(0.45 + 0.1 * 1.4142135623730951),
         {0, 0, 1},
         2,
         0,
         0},
        {"cylinder in a flat cylinder", PRISM_AT(0.1, 0.1, 32, 0.05, 0, 0.05), PRISM_AT(0.5, 0.2, 32, 0, 0, 0), -0.25, {0, 0, 1}, 32, 0, 0},
        {"cylinders with one centre", PRISM_AT(0.1, 0.1, 32, 0, 0, 0), PRISM_AT(0.5, 0.2, 32, 0, 0, 0), -0.3, {0, 0, 0}, 32, 0, 0},
        {"crumb in a room", BOX_AT(1e-3, 1e-3, 1e-3, 4, 1, 2), BOX_AT(5, 5, 5, 0, 0, 0), -1.001, {1, 0, 0}, 4, 4e-6, 0},
        {"ball in a box", {.kind = FIGURE_SPHERE, .p = 0.1, .at = {0.1, 0, 0}}, BOX_AT(0.3, 0.5, 0.6, 0, 0, 0), -0.3, {1, 0, 0}, 1, 0, 0},
        {"capsule in a box",
         {.kind = FIGURE_CAPSULE, .p = 0.1, .q = 0.2, .at = {0.1, 0, 0}},
         BOX_AT(0.3, 0.5, 0.6, 0, 0, 0),
         -0.3,
         {1, 0, 0},
         2,
         0,
         0},
        {"wedge in a box",
         {.kind = FIGURE_WEDGE, .p = 0.1, .q = 0.1, .r = 0.1, .at = {-0.2, 0, 0}},
         BOX_AT(0.3, 0.5, 0.6, 0, 0, 0),
         -0.2,
         {-1, 0, 0},
         1,
         0,
         0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(deep), cmocka_unit_test(aligned_stacks), cmocka_unit_test(contained)};
    return cmocka_run_group_tests_name("narrow/failures/degenerate_polytope", tests, NULL, NULL);
}
