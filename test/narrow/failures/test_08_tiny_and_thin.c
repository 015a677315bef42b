/*
 * Failure mode 8: absolute tolerances. Ordinary files hold triangles of aspect 1e8 and edges of 1e-7 m; elsewhere tiny shapes and thin
 * triangles vanish. Tested: the same cases at all sizes that a double can represent, and slivers of aspect 1e8.
 */
#include "support/figure.h"

#define BOX_AT(hx, hy, hz, x, y, z)                                      \
    {                                                                    \
        .kind = FIGURE_BOX, .p = hx, .q = hy, .r = hz, .at = { x, y, z } \
    }
#define BALL_AT(radius, x, y, z)                              \
    {                                                         \
        .kind = FIGURE_SPHERE, .p = radius, .at = { x, y, z } \
    }

static void any_size(void **state) {
    (void)state;
    static const double scales[] = {1e-50, 1e-30, 1e-15, 1e-12, 1e-9, 1e-7, 1e-4, 1.0, 1e4, 1e7, 1e9, 1e12, 1e15, 1e30, 1e50};
    const double quarter = 1.5707963267948966, eighth = 0.78539816339744831;
    const figure_case cases[] = {
        {"cube on cube", BOX_AT(0.5, 0.5, 0.5, 0.25, 0, 0.999), BOX_AT(0.5, 0.5, 0.5, 0, 0, 0), -1e-3, {0, 0, 1}, 4, 0.75, 0},
        {"cube above cube", BOX_AT(0.5, 0.5, 0.5, 0.25, 0, 1.001), BOX_AT(0.5, 0.5, 0.5, 0, 0, 0), 1e-3, {0, 0, 1}, 4, 0.75, 0},
        {"cube on edge",
         {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .at = {0, 0, 1.1971067811865476}, .turn = {eighth, 0, 0}},
         BOX_AT(0.5, 0.5, 0.5, 0, 0, 0),
         -0.01,
         {0, 0, 1},
         2,
         0,
         0},
        {"crossed edges",
         {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .at = {0.1, 0.2, 1.3942135623730951}, .turn = {eighth, 0, 0}},
         {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .turn = {0, eighth, 0}},
         -0.02,
         {0, 0, 1},
         1,
         0,
         0},
        {"cylinder on cylinder",
         {.kind = FIGURE_PRISM, .p = 0.5, .q = 0.5, .r = 32, .at = {0, 0, 0.999}},
         {.kind = FIGURE_PRISM, .p = 0.5, .q = 0.5, .r = 32},
         -1e-3,
         {0, 0, 1},
         32,
         0,
         0},
        {"cone on cube",
         {.kind = FIGURE_CONE, .p = 0.5, .q = 1, .r = 12, .at = {0, 0, 0.749}},
         BOX_AT(0.5, 0.5, 0.5, 0, 0, 0),
         -1e-3,
         {0, 0, 1},
         12,
         0,
         0},
        {"wedge on cube",
         {.kind = FIGURE_WEDGE, .p = 0.3, .q = 0.2, .r = 0.4, .at = {0, 0, 0.499}},
         BOX_AT(0.5, 0.5, 0.5, 0, 0, 0),
         -1e-3,
         {0, 0, 1},
         3,
         0.03,
         0},
        {"ball on cube", BALL_AT(0.5, 0.1, 0.2, 0.999), BOX_AT(0.5, 0.5, 0.5, 0, 0, 0), -1e-3, {0, 0, 1}, 1, 0, 0},
        {"ball at a corner", BALL_AT(0.5, 0.7, 0.7, 0.6), BOX_AT(0.5, 0.5, 0.5, 0, 0, 0), -0.2, {0, 0, 0}, 1, 0, 0},
        {"ball on ball", BALL_AT(0.5, 0, 0.6, 0.8), BALL_AT(0.51, 0, 0, 0), -0.01, {0, 0.6, 0.8}, 1, 0, 0},
        {"capsule on cube",
         {.kind = FIGURE_CAPSULE, .p = 0.1, .q = 0.3, .at = {0, 0, 0.599}, .turn = {quarter, 0, 0}},
         BOX_AT(0.5, 0.5, 0.5, 0, 0, 0),
         -1e-3,
         {0, 0, 1},
         2,
         0,
         0},
        {"capsules that cross",
         {.kind = FIGURE_CAPSULE, .p = 0.1, .q = 0.5, .at = {0.1, 0, 0.19}, .turn = {quarter, 0, 0}},
         {.kind = FIGURE_CAPSULE, .p = 0.1, .q = 0.5, .turn = {0, quarter, 0}},
         -0.01,
         {0, 0, 1},
         1,
         0,
         0},
        {"ball on plane", BALL_AT(0.5, 0.1, 0.2, 0.499), {.kind = FIGURE_PLANE}, -1e-3, {0, 0, 1}, 1, 0, 0},
        {"cube on plane", BOX_AT(0.5, 0.5, 0.5, 0.25, 0, 0.499), {.kind = FIGURE_PLANE}, -1e-3, {0, 0, 1}, 4, 1, 0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

/* Edges of 1e-7 on bodies of a metre, aspect 1e7 to 1e8: depths and areas are those of the thin side. */
static void slivers(void **state) {
    (void)state;
    static const double scales[] = {1.0, 1e-7, 1e7};
    static const figure_case cases[] = {
        {"plate on slab", BOX_AT(1, 1, 1e-8, 0.2, 0.1, 0.5 + 0.5e-8), BOX_AT(2, 2, 0.5, 0, 0, 0), -0.5e-8, {0, 0, 1}, 4, 4, 0},
        {"plate on plate", BOX_AT(1, 1, 1e-8, 0.2, 0.1, 1e-8), BOX_AT(1, 1, 1e-8, 0, 0, 0), -1e-8, {0, 0, 1}, 4, 1.8 * 1.9, 0},
        {"needle on slab", BOX_AT(1, 1e-8, 1e-8, 0.2, 0.1, 0.5 + 0.5e-8), BOX_AT(2, 2, 0.5, 0, 0, 0), -0.5e-8, {0, 0, 1}, 0, 0, 0},
        {"crumb of 1e-7 on slab",
         BOX_AT(1e-7, 1e-7, 1e-7, 0.2, 0.1, 0.5 + 0.5e-7),
         BOX_AT(2, 2, 0.5, 0, 0, 0),
         -0.5e-7,
         {0, 0, 1},
         4,
         4e-14,
         0},
        {"crumb of 1e-7 in a slab",
         BOX_AT(1e-7, 1e-7, 1e-7, 0.2, 0.1, 0.4),
         BOX_AT(2, 2, 0.5, 0, 0, 0),
         -0.1000001,
         {0, 0, 1},
         4,
         4e-14,
         0},
        {"ball of 1e-8 on slab", BALL_AT(1e-8, 0.2, 0.1, 0.5 + 0.5e-8), BOX_AT(2, 2, 0.5, 0, 0, 0), -0.5e-8, {0, 0, 1}, 1, 0, 0},
        {"sliver wedge on slab",
         {.kind = FIGURE_WEDGE, .p = 1, .q = 1e-7, .r = 0.3, .at = {0, 0, 0.5 - 1e-8}},
         BOX_AT(2, 2, 0.5, 0, 0, 0),
         -1e-8,
         {0, 0, 1},
         0,
         0,
         0},
        {"flat cylinder on slab",
         {.kind = FIGURE_PRISM, .p = 1, .q = 1e-8, .r = 32, .at = {0, 0, 0.5 + 0.5e-8}},
         BOX_AT(2, 2, 0.5, 0, 0, 0),
         -0.5e-8,
         {0, 0, 1},
         32,
         0,
         0},
        {"wire on slab",
         {.kind = FIGURE_PRISM, .p = 1e-7, .q = 1, .r = 4, .at = {0, 0, 0.5 + 0.5e-7}, .turn = {0, 1.5707963267948966, 0}},
         BOX_AT(2, 2, 0.5, 0, 0, 0),
         -0.5e-7,
         {0, 0, 1},
         2,
         0,
         0},
        {"plate above slab", BOX_AT(1, 1, 1e-8, 0.2, 0.1, 0.5 + 2e-8), BOX_AT(2, 2, 0.5, 0, 0, 0), 1e-8, {0, 0, 1}, 4, 4, 0},
        {"plate against a needle's end", BOX_AT(1, 1e-8, 1e-8, 1.5, 0, 0), BOX_AT(0.501, 1, 1, 0, 0, 0), -1e-3, {1, 0, 0}, 0, 0, 0},
    };
    FIGURE_CHECK_ALL(cases, scales);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_size), cmocka_unit_test(slivers)};
    return cmocka_run_group_tests_name("narrow/failures/tiny_and_thin", tests, NULL, NULL);
}
