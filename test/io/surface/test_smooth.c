/* Grids around smooth shapes: closed, outward, on the surface. Scenes with smooth bodies can be run, recorded and exported. */
#include "io/surface/smooth.h"

#include <string.h>

#include <abut/smooth.h>

#include "support/check.h"
#include "support/user_surface.h"

static abut_vec3 vertices[SMOOTH_SURFACE_VERTICES];
static int32_t corners[3 * SMOOTH_SURFACE_TRIANGLES];

static double volume_of_globe(void) {
    double volume = 0.0;
    for (int i = 0; i < SMOOTH_SURFACE_TRIANGLES; i++) {
        const int32_t *t = corners + 3 * i;
        for (int k = 0; k < 3; k++) {
            assert_in_range(t[k], 0, SMOOTH_SURFACE_VERTICES - 1);
        }
        volume += abut_dot(vertices[t[0]], abut_cross(vertices[t[1]], vertices[t[2]])) / 6.0;
    }
    return volume;
}

/* Every edge occurs once in each direction. */
static void check_closed(void) {
    static int8_t runs[SMOOTH_SURFACE_VERTICES][SMOOTH_SURFACE_VERTICES];
    memset(runs, 0, sizeof runs);
    for (int i = 0; i < 3 * SMOOTH_SURFACE_TRIANGLES; i++) {
        int32_t from = corners[i], to = corners[i % 3 == 2 ? i - 2 : i + 1];
        runs[from][to]++;
    }
    for (int i = 0; i < SMOOTH_SURFACE_VERTICES; i++) {
        for (int k = 0; k < i; k++) {
            assert_int_equal(runs[i][k], runs[k][i]);
            assert_in_range(runs[i][k], 0, 1);
        }
    }
}

static void globes(void **state) {
    (void)state;
    user_ellipsoid e = {.half = {0.9, 0.5, 0.7}, .middle = {1, 2, 3}};
    abut_implicit_def def = user_ellipsoid_implicit(&e);
    abut_shape *shapes[3];
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(0.9, 0.5, 0.7), &shapes[0]));
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(0.9, 0.5, 0.7), 0.6, 1.4, &shapes[1]));
    assert_ok(abut_shape_create_implicit(&def, &shapes[2]));
    for (int i = 0; i < 3; i++) {
        abut_mass mass;
        assert_ok(abut_shape_mass(shapes[i], 1.0, &mass));
        int32_t vertex_count, triangle_count;
        assert_true(smooth_surface_has(shapes[i], &vertex_count, &triangle_count));
        assert_true(vertex_count == SMOOTH_SURFACE_VERTICES && triangle_count == SMOOTH_SURFACE_TRIANGLES);
        smooth_surface_make(shapes[i], vertices, corners);
        check_closed();
        double volume = volume_of_globe();
        assert_true(volume < mass.volume && volume > 0.96 * mass.volume);
        abut_shape_release(shapes[i]);
    }
}

static void no_surface(void **state) {
    (void)state;
    abut_shape *ball;
    int32_t v, f;
    assert_ok(abut_shape_create_sphere(1.0, &ball));
    assert_false(smooth_surface_has(ball, &v, &f));
    abut_shape_release(ball);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(globes), cmocka_unit_test(no_surface)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
