/* Hulls of rounded points. */
#include "io/mesh/smooth_hull.h"
#include "support/check.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static double rounded(double x) {
    char text[32];
    snprintf(text, sizeof text, "%.6f", x);
    return strtod(text, NULL);
}

static void test_an_icosahedron_keeps_its_faces(void **state) {
    (void)state;
    /* Triangles are always planar: twenty faces stay twenty. */
    const double g = rounded((1.0 + sqrt(5.0)) / 2.0);
    abut_vec3 points[12];
    for (int i = 0; i < 4; i++) {
        double a = i & 1 ? 1 : -1, b = i & 2 ? g : -g;
        points[3 * i] = abut_vec3_make(0, a, b);
        points[3 * i + 1] = abut_vec3_make(a, b, 0);
        points[3 * i + 2] = abut_vec3_make(b, 0, a);
    }
    abut_shape *shape = NULL;
    abut_polytope_view view;
    assert_ok(smooth_hull(points, 12, SMOOTH_TOLERANCE, &shape));
    assert_ok(abut_shape_polytope(shape, &view));
    assert_int_equal(view.face_count, 20);
    abut_shape_release(shape);
}

/* The volume is that of the exact hull within the tolerance, and points stay where they are. */
static void test_volume_and_vertices(void **state) {
    (void)state;
    abut_vec3 points[20];
    const double g = (1.0 + sqrt(5.0)) / 2.0;
    int count = 0;
    for (int i = 0; i < 8; i++) {
        double a = i & 1 ? 1 : -1, b = i & 2 ? 1 : -1, c = i & 4 ? 1 : -1;
        points[count++] = abut_vec3_make(a, b, c);
        if (i < 4) {
            points[count++] = abut_vec3_make(0, rounded(a / g), rounded(b * g));
            points[count++] = abut_vec3_make(rounded(a / g), rounded(b * g), 0);
            points[count++] = abut_vec3_make(rounded(b * g), 0, rounded(a / g));
        }
    }
    abut_shape *shape = NULL;
    abut_polytope_view view;
    abut_mass mass;
    assert_ok(smooth_hull(points, count, SMOOTH_TOLERANCE, &shape));
    assert_ok(abut_shape_polytope(shape, &view));
    assert_int_equal(view.vertex_count, 20);
    assert_ok(abut_shape_mass(shape, 1.0, &mass));
    /* A dodecahedron of edge 2 / g. */
    assert_near(mass.volume, (15.0 + 7.0 * sqrt(5.0)) / 4.0 * pow(2.0 / g, 3.0), 1e-5);
    abut_shape_release(shape);
}

static void test_statuses(void **state) {
    (void)state;
    abut_shape *shape = NULL;
    abut_vec3 flat[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    assert_status(smooth_hull(flat, 4, SMOOTH_TOLERANCE, &shape), ABUT_ERROR_DEGENERATE);
    assert_status(smooth_hull(flat, 3, SMOOTH_TOLERANCE, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    flat[3].z = NAN;
    assert_status(smooth_hull(flat, 4, SMOOTH_TOLERANCE, &shape), ABUT_ERROR_NOT_FINITE);
    assert_null(shape);
}

/* A plate thinner than the tolerance is still a plate. */
static void test_thinner_than_the_tolerance(void **state) {
    (void)state;
    abut_vec3 points[8];
    for (int i = 0; i < 8; i++) {
        points[i] = abut_vec3_make(i & 1, i >> 1 & 1, (i >> 2) * 1e-7);
    }
    abut_shape *shape = NULL;
    abut_mass mass;
    assert_ok(smooth_hull(points, 8, SMOOTH_TOLERANCE, &shape));
    assert_ok(abut_shape_mass(shape, 1.0, &mass));
    assert_near(mass.volume, 1e-7, 1e-12);
    abut_shape_release(shape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_icosahedron_keeps_its_faces),
        cmocka_unit_test(test_volume_and_vertices),
        cmocka_unit_test(test_statuses),
        cmocka_unit_test(test_thinner_than_the_tolerance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
