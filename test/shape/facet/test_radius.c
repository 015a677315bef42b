/*
 * Radii of curvature from a mesh. On balls they are exact, however the balls are cut into triangles. On ellipsoids and tori we check the root mean square error
 * of the mean curvature, relative to the root mean square of the mean curvature, and how it falls when triangles are split into four.
 */
#include "shape/facet/mesh.h"

#include <stdio.h>
#include <stdlib.h>

#include "shape/shape.h"
#include "support/check.h"
#include "support/facet_body.h"
#include "support/random.h"

static void test_balls(void **state) {
    (void)state;
    for (int level = 0; level <= 5; ++level) {
        facet_body ball = facet_body_ball(level);
        facet_body_scale(&ball, abut_vec3_make(3.0, 3.0, 3.0));
        abut_shape *shape = facet_body_shape(&ball, NULL);
        double worst = 0.0;
        for (int32_t i = 0; i < ball.triangle_count; ++i) {
            worst = fmax(worst, fabs(shape->facets->radius[i] / 3.0 - 1.0));
        }
        print_message("level %d: %.2g\n", level, worst);
        assert_true(worst <= 1e-12);
        abut_shape_release(shape);
        facet_body_free(&ball);
    }
}

/* Mean curvature of an ellipsoid with these semi-axes, at a point of its surface. */
static double ellipsoid_bend(abut_vec3 s, abut_vec3 p) {
    double a = s.x * s.x, b = s.y * s.y, c = s.z * s.z, g = p.x * p.x / (a * a) + p.y * p.y / (b * b) + p.z * p.z / (c * c);
    double sum = abut_length_squared(p) - a - b - c;
    return fabs(sum) / (2.0 * a * b * c * pow(g, 1.5));
}

static double ellipsoid_error(int level, abut_vec3 s, int32_t *concave) {
    facet_body body = facet_body_ball(level);
    facet_body_scale(&body, s);
    const abut_facetmesh_def def = {
        .vertices = body.vertices, .vertex_count = body.vertex_count, .triangles = body.triangles, .triangle_count = body.triangle_count};
    abut_shape *shape;
    abut_facetmesh_report report;
    assert_ok(abut_shape_create_facetmesh(&def, &report, &shape));
    *concave = report.concave_count;
    double error = 0.0, all = 0.0;
    for (int32_t i = 0; i < body.triangle_count; ++i) {
        const abut_vec3 *q = shape->facets->side[i].corner;
        abut_vec3 m = abut_scale(1.0 / 3.0, abut_add(q[0], abut_add(q[1], q[2])));
        abut_vec3 on_ball = abut_unit(abut_vec3_make(m.x / s.x, m.y / s.y, m.z / s.z));
        double bend = ellipsoid_bend(s, abut_vec3_make(s.x * on_ball.x, s.y * on_ball.y, s.z * on_ball.z));
        error += pow(1.0 / shape->facets->radius[i] - bend, 2.0);
        all += bend * bend;
    }
    abut_shape_release(shape);
    facet_body_free(&body);
    return sqrt(error / all);
}

static void test_ellipsoids(void **state) {
    (void)state;
    const abut_vec3 axes[] = {{1.0, 0.8, 0.6}, {1.0, 0.5, 0.5}, {1.0, 0.8, 0.4}};
    const double most[3][4] = {{0.029, 0.0082, 0.0027, 0.001}, {0.055, 0.017, 0.0047, 0.0016}, {0.096, 0.029, 0.0095, 0.0038}};
    for (int k = 0; k < 3; ++k) {
        for (int level = 2; level <= 5; ++level) {
            int32_t concave;
            double error = ellipsoid_error(level, axes[k], &concave);
            print_message("ellipsoid %d, level %d: %.3g\n", k, level, error);
            assert_int_equal(concave, 0);
            assert_true(error <= most[k][level - 2]);
        }
    }
}

/* Mean curvature of a torus: positive, except near the axis of a fat torus, where it is negative. */
static double torus_bend(double radius, double tube, double v) { return 0.5 * (1.0 / tube + cos(v) / (radius + tube * cos(v))); }

static double torus_error(double radius, double tube, int32_t across, int32_t *concave, int32_t *wrong) {
    facet_body body = facet_body_torus(radius, tube, (int32_t)(across * radius / tube), across);
    const abut_facetmesh_def def = {
        .vertices = body.vertices, .vertex_count = body.vertex_count, .triangles = body.triangles, .triangle_count = body.triangle_count};
    abut_shape *shape;
    abut_facetmesh_report report;
    assert_ok(abut_shape_create_facetmesh(&def, &report, &shape));
    *concave = report.concave_count;
    *wrong = 0;
    double error = 0.0, all = 0.0;
    for (int32_t i = 0; i < body.triangle_count; ++i) {
        const abut_vec3 *q = shape->facets->side[i].corner;
        abut_vec3 m = abut_scale(1.0 / 3.0, abut_add(q[0], abut_add(q[1], q[2])));
        double bend = torus_bend(radius, tube, atan2(m.z, hypot(m.x, m.y) - radius)), own = 1.0 / shape->facets->radius[i];
        *wrong += (bend < -0.15 && own > 0.0) || (bend > 0.15 && own == 0.0);
        error += pow(own - fmax(bend, 0.0), 2.0);
        all += bend * bend;
    }
    abut_shape_release(shape);
    facet_body_free(&body);
    return sqrt(error / all);
}

static void test_tori(void **state) {
    (void)state;
    const double tube[2] = {0.4, 0.6}, most[2][4] = {{0.13, 0.033, 0.0092, 0.0031}, {0.17, 0.048, 0.013, 0.0047}};
    for (int k = 0; k < 2; ++k) {
        for (int n = 0; n < 4; ++n) {
            int32_t concave, wrong;
            double error = torus_error(1.0, tube[k], 12 << n, &concave, &wrong);
            print_message("torus %g, %d across: %.3g, concave %d\n", tube[k], 12 << n, error, (int)concave);
            assert_true(error <= most[k][n]);
            assert_true(n == 0 || wrong == 0); /* a tube this coarse has its largest errors where it is concave */
            assert_true((concave > 0) == (tube[k] > 0.5));
        }
    }
}

/* Flat faces have no curvature, in spite of rounding errors. A tetrahedron has the radius of the sphere through its corners. */
static void test_flat_and_few(void **state) {
    (void)state;
    const abut_vec3 corner[4] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
    const int32_t faces[12] = {0, 1, 2, 0, 2, 3, 0, 3, 1, 1, 3, 2};
    const abut_facetmesh_def def = {.vertices = corner, .vertex_count = 4, .triangles = faces, .triangle_count = 4};
    abut_shape *shape;
    abut_facetmesh_report report;
    assert_ok(abut_shape_create_facetmesh(&def, &report, &shape));
    assert_near(report.least_radius, sqrt(3.0), 1e-14);
    assert_near(report.greatest_radius, sqrt(3.0), 1e-14);
    abut_shape_release(shape);
    /* A flattened torus has faces above and below. */
    facet_body sheet = facet_body_torus(1.0, 0.5, 24, 16);
    for (int32_t v = 0; v < sheet.vertex_count; ++v) {
        sheet.vertices[v].z = fmax(-0.1, fmin(0.1, sheet.vertices[v].z));
    }
    const abut_facetmesh_def pressed = {.vertices = sheet.vertices,
                                        .vertex_count = sheet.vertex_count,
                                        .triangles = sheet.triangles,
                                        .triangle_count = sheet.triangle_count};
    assert_ok(abut_shape_create_facetmesh(&pressed, &report, &shape));
    assert_true(report.flat_count > 24 * 8);
    abut_shape_release(shape);
    facet_body_free(&sheet);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_balls), cmocka_unit_test(test_ellipsoids), cmocka_unit_test(test_tori),
                                       cmocka_unit_test(test_flat_and_few)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
