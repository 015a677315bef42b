/* Grids of parametric surfaces: closed, outward, with the volume of the body, whatever sides meet or are poles. */
#include "shape/surface/parameter_grid.h"

#include <stdlib.h>

#include <abut/formula.h>

#include "support/check.h"

typedef struct surface {
    const char *x, *y, *z;
    double u[2], v[2];
    bool u_periodic, v_periodic;
    int32_t vertices;
} surface;

/* Every edge of a triangle has its opposite in another one. */
static void check_closed(const int32_t *corners, int32_t vertices, int32_t triangles) {
    int8_t *runs = check_memory((size_t)vertices * (size_t)vertices, 1);
    for (int32_t i = 0; i < 3 * triangles; i++) {
        int32_t from = corners[i], to = corners[i % 3 == 2 ? i - 2 : i + 1];
        assert_in_range(from, 0, vertices - 1);
        assert_int_not_equal(from, to);
        runs[(size_t)from * (size_t)vertices + (size_t)to]++;
    }
    for (size_t i = 0; i < (size_t)vertices; i++) {
        for (size_t k = 0; k < i; k++) {
            int8_t there = runs[i * (size_t)vertices + k], back = runs[k * (size_t)vertices + i];
            assert_true(there == back && there <= 1);
        }
    }
    free(runs);
}

static void check_surface(const surface *s) {
    const abut_parametric_formula_def def = {.x = s->x,
                                             .y = s->y,
                                             .z = s->z,
                                             .u_range = {s->u[0], s->u[1]},
                                             .v_range = {s->v[0], s->v[1]},
                                             .u_periodic = s->u_periodic,
                                             .v_periodic = s->v_periodic};
    abut_shape *shape;
    abut_mass mass;
    abut_parametric_def made;
    assert_ok(abut_shape_create_parametric_formula(&def, NULL, &shape));
    assert_ok(abut_shape_mass(shape, 1.0, &mass));
    assert_ok(abut_shape_parametric(shape, &made));
    const parameter_grid grid = parameter_grid_plan(&made);
    int32_t vertex_count = grid.vertex_count, triangle_count = grid.triangle_count;
    assert_int_equal(vertex_count, s->vertices);
    abut_vec3 *vertices = check_memory((size_t)vertex_count, sizeof *vertices);
    int32_t *corners = check_memory(3 * (size_t)triangle_count, sizeof *corners);
    parameter_grid_make(&grid, vertices, corners);
    check_closed(corners, vertex_count, triangle_count);
    double volume = 0.0;
    for (int32_t t = 0; t < triangle_count; t++) {
        const int32_t *c = corners + 3 * t;
        volume += abut_dot(vertices[c[0]], abut_cross(vertices[c[1]], vertices[c[2]])) / 6.0;
    }
    assert_near(volume, mass.volume, 0.02 * mass.volume);
    free(vertices);
    free(corners);
    abut_shape_release(shape);
}

static void surfaces(void **state) {
    (void)state;
    static const surface cases[] = {
        {"(2 + 0.5 * cos(v)) * cos(u)", "(2 + 0.5 * cos(v)) * sin(u)", "0.5 * sin(v)", {0, 2 * PI}, {0, 2 * PI}, true, true, 64 * 32},
        /* its ranges join, although nothing says so; and it is turned inside out */
        {"(2 + 0.5 * cos(v)) * cos(u)", "-(2 + 0.5 * cos(v)) * sin(u)", "0.5 * sin(v)", {0, 2 * PI}, {0, 2 * PI}, false, false, 64 * 32},
        /* a dented ball with poles at both ends of v, and the same with u and v exchanged */
        {"cos(u) * cos(v)", "sin(u) * cos(v)", "sin(v) * (1 - 0.8 * cos(v)^2)", {0, 2 * PI}, {-PI / 2, PI / 2}, true, false, 64 * 31 + 2},
        {"cos(v) * cos(u)", "sin(v) * cos(u)", "sin(u) * (1 - 0.8 * cos(u)^2)", {-PI / 2, PI / 2}, {0, 2 * PI}, false, true, 32 * 63 + 2}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_surface(&cases[i]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(surfaces)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
