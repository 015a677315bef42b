/*
 * Failure mode 9: false zero. Elsewhere separated hulls have distance 0, because a search stops early on a plateau of almost equal
 * distances. Tested: all ways in which features can face each other, at gaps from 1e-9 of the size to many sizes; wide, almost parallel
 * faces; almost round polytopes.
 */
#include "support/figure.h"

#define CUBE \
    { .kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5 }
#define CUBE_AT(x, y, z)                                                    \
    {                                                                       \
        .kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .at = { x, y, z } \
    }

static const double scales[] = {1.0, 1e-4, 1e4};
static const double gaps[] = {1e-9, 1e-7, 1e-5, 1e-3, 0.1, 1.0, 1e3};
enum { GAPS = sizeof gaps / sizeof *gaps };

static void every_pair_of_features(void **state) {
    (void)state;
    static tally t;
    t = (tally){0};
    const double k2 = sqrt(0.5), k3 = sqrt(1.0 / 3.0), eighth = PI / 4;
    for (int i = 0; i < GAPS; i++) {
        double g = gaps[i];
        const figure_case cases[] = {
            {"face over face", CUBE_AT(0.25, 0.125, 1 + g), CUBE, g, {0, 0, 1}, 4, 0.75 * 0.875, 0},
            {"edge beside parallel edge", CUBE_AT(0.25, 1 + k2 * g, 1 + k2 * g), CUBE, g, {0, k2, k2}, 2, 0, 0},
            {"corner beside corner", CUBE_AT(1 + k3 * g, 1 + k3 * g, 1 + k3 * g), CUBE, g, {k3, k3, k3}, 1, 0, 0},
            {"edge over face",
             {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .at = {0, 0, 0.5 + k2 + g}, .turn = {eighth, 0, 0}},
             CUBE,
             g,
             {0, 0, 1},
             2,
             0,
             0},
            {"crossed edges",
             {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .at = {0.1, 0.2, 2 * k2 + g}, .turn = {eighth, 0, 0}},
             {.kind = FIGURE_BOX, .p = 0.5, .q = 0.5, .r = 0.5, .turn = {0, eighth, 0}},
             g,
             {0, 0, 1},
             1,
             0,
             0},
            {"apex under face",
             {.kind = FIGURE_CONE, .p = 0.5, .q = 1, .r = 9, .at = {0.1, 0, 0.5 + 0.75 + g}, .turn = {PI, 0, 0}},
             CUBE,
             g,
             {0, 0, 1},
             1,
             0,
             0},
            {"apex over apex",
             {.kind = FIGURE_CONE, .p = 0.5, .q = 1, .r = 9, .at = {0, 0, 1.5 + g}, .turn = {PI, 0, 0}},
             {.kind = FIGURE_CONE, .p = 0.5, .q = 1, .r = 9},
             g,
             {0, 0, 1},
             1,
             0,
             0},
            {"ball over face", {.kind = FIGURE_SPHERE, .p = 0.25, .at = {0.2, 0.1, 0.75 + g}}, CUBE, g, {0, 0, 1}, 1, 0, 0},
            {"ball beside edge",
             {.kind = FIGURE_SPHERE, .p = 0.25, .at = {0.2, 0.5 + k2 * (0.25 + g), 0.5 + k2 * (0.25 + g)}},
             CUBE,
             g,
             {0, k2, k2},
             1,
             0,
             0},
            {"ball beside corner",
             {.kind = FIGURE_SPHERE, .p = 0.25, .at = {0.5 + k3 * (0.25 + g), 0.5 + k3 * (0.25 + g), 0.5 + k3 * (0.25 + g)}},
             CUBE,
             g,
             {k3, k3, k3},
             1,
             0,
             0},
            {"ball over ball",
             {.kind = FIGURE_SPHERE, .p = 0.25, .at = {0, 0, 0.75 + g}},
             {.kind = FIGURE_SPHERE, .p = 0.5},
             g,
             {0, 0, 1},
             1,
             0,
             0},
            {"capsule over face",
             {.kind = FIGURE_CAPSULE, .p = 0.25, .q = 0.2, .at = {0, 0, 0.75 + g}, .turn = {PI / 2, 0, 0}},
             CUBE,
             g,
             {0, 0, 1},
             2,
             0,
             0},
            {"capsule across capsule",
             {.kind = FIGURE_CAPSULE, .p = 0.25, .q = 0.5, .at = {0.1, 0.2, 0.5 + g}, .turn = {PI / 2, 0, 0}},
             {.kind = FIGURE_CAPSULE, .p = 0.25, .q = 0.5, .turn = {0, PI / 2, 0}},
             g,
             {0, 0, 1},
             1,
             0,
             0},
        };
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            for (int s = 0; s < 3; s++) {
                figure_check(&t, &cases[k], scales[s]);
            }
        }
    }
    tally_end(&t);
}

/* A wide plate over a wide slab, tilted so little that every point of the plate is almost as near as its lowest corner or edge. */
static void plateaus(void **state) {
    (void)state;
    static const double leans[] = {0.0, 1e-15, 1e-12, 1e-9, 1e-7, 1e-5};
    static tally t;
    t = (tally){0};
    for (int i = 0; i < GAPS; i++) {
        for (int k = 0; k < 6; k++) {
            double lean = leans[k], lowest = 10.0 * sin(lean) + 0.05 * cos(lean);
            figure_case cases[] = {
                {"plate over slab",
                 {.kind = FIGURE_BOX, .p = 10, .q = 10, .r = 0.05, .at = {0, 0, 0.5 + lowest + gaps[i]}, .turn = {lean, 0, 0}},
                 {.kind = FIGURE_BOX, .p = 100, .q = 100, .r = 0.5},
                 gaps[i],
                 {0, 0, 1},
                 0,
                 0,
                 0},
                {"disc over slab",
                 {.kind = FIGURE_PRISM, .p = 10, .q = 0.05, .r = 256, .at = {0, 0, 0.55 + gaps[i]}, .turn = {0, 0, lean}},
                 {.kind = FIGURE_BOX, .p = 100, .q = 100, .r = 0.5},
                 gaps[i],
                 {0, 0, 1},
                 0,
                 0,
                 0},
            };
            figure_check(&t, &cases[0], 1.0);
            figure_check(&t, &cases[1], 1.0);
        }
    }
    tally_end(&t);
}

/* Cylinders of many sides beside each other, side to side and turned by half a side, so that an edge faces a side. */
static void almost_round(void **state) {
    (void)state;
    static const int32_t sides[] = {16, 64};
    static tally t;
    t = (tally){0};
    for (int i = 0; i < GAPS; i++) {
        for (int k = 0; k < 2; k++) {
            double half_side = PI / sides[k], apothem = 0.5 * cos(half_side);
            figure a = {.kind = FIGURE_PRISM, .p = 0.5, .q = 0.5, .r = sides[k]}, b = a;
            b.turn.z = half_side; /* a side square to x, the edge of A before it */
            a.at = abut_vec3_make(0.5 + apothem + gaps[i], 0, 0.25);
            figure_case edge = {"edge before side", a, b, gaps[i], {1, 0, 0}, 2, 0, 0};
            figure_check(&t, &edge, 1.0);
            a.turn.z = half_side;
            a.at.x = 2.0 * apothem + gaps[i];
            figure_case side = {"side before side", a, b, gaps[i], {1, 0, 0}, 4, 0.75 * 2.0 * 0.5 * sin(half_side), 0};
            figure_check(&t, &side, 1.0);
        }
    }
    tally_end(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_pair_of_features), cmocka_unit_test(plateaus),
                                       cmocka_unit_test(almost_round)};
    return cmocka_run_group_tests_name("narrow/failures/false_zero", tests, NULL, NULL);
}
