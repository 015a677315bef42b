/* Cylinders and cones: numbering, surface, and measures in closed form, for few and many sides. */
#include "support/surface.h"

static const int32_t side_counts[] = {3, 4, 5, 7, 8, 32, 100, 1023};
enum { side_tests = sizeof side_counts / sizeof *side_counts };

/* Moment about the axis of the prism over a regular polygon, of unit mass: r^2 / 2 (1 - 2/3 sin^2(pi / n)). */
static double axial_moment(double r, int32_t n) {
    double s = sin(PI / n);
    return 0.5 * r * r * (1.0 - 2.0 / 3.0 * s * s);
}

static double polygon_area(double r, int32_t n) { return 0.5 * n * r * r * sin(2.0 * PI / n); }

static void cylinder_measures(void **state) {
    (void)state;
    const double r = 0.8, h = 1.3;
    for (int i = 0; i < side_tests; i++) {
        int32_t n = side_counts[i];
        abut_shape *shape;
        assert_ok(abut_shape_create_prism(r, h, n, &shape));
        const polytope *p = &shape->surface;
        assert_int_equal(p->vertex_count, 2 * n);
        assert_int_equal(p->face_count, n + 2);
        surface_check(shape, 1e-14);
        double volume = 2.0 * h * polygon_area(r, n), axial = axial_moment(r, n);
        assert_near(shape->unit_mass.volume, volume, 1e-13 * volume);
        assert_vec3_near(shape->unit_mass.centre, abut_vec3_make(0, 0, 0), 1e-14);
        assert_near(shape->unit_mass.inertia.z.z, volume * axial, 1e-13 * volume);
        assert_near(shape->unit_mass.inertia.x.x, volume * (0.5 * axial + h * h / 3.0), 1e-13 * volume);
        assert_near(shape->unit_mass.inertia.y.y, volume * (0.5 * axial + h * h / 3.0), 1e-13 * volume);
        assert_near(p->inradius, fmin(h, r * cos(PI / n)), 1e-14);
        for (int32_t f = 0; f < p->face_count; f++) {
            assert_near(p->face_angles[f], f < 2 ? 0.5 * PI : fmin(0.5 * PI, 2.0 * PI / n), 1e-12);
        }
        abut_shape_release(shape);
    }
}

static void cone_measures(void **state) {
    (void)state;
    const double r = 0.8, h = 1.3;
    for (int i = 0; i < side_tests; i++) {
        int32_t n = side_counts[i];
        abut_shape *shape;
        assert_ok(abut_shape_create_pyramid(r, h, n, &shape));
        const polytope *p = &shape->surface;
        assert_int_equal(p->vertex_count, n + 1);
        assert_int_equal(p->face_count, n + 1);
        surface_check(shape, 1e-14);
        double volume = h / 3.0 * polygon_area(r, n), axial = 0.6 * axial_moment(r, n), foot = r * cos(PI / n);
        double ball = foot * h / (foot + sqrt(foot * foot + h * h));
        assert_near(shape->unit_mass.volume, volume, 1e-13 * volume);
        assert_vec3_near(shape->unit_mass.centre, abut_vec3_make(0, 0, 0), 1e-14);
        assert_near(shape->unit_mass.inertia.z.z, volume * axial, 1e-13 * volume);
        assert_near(shape->unit_mass.inertia.x.x, volume * (0.5 * axial + 3.0 / 80.0 * h * h), 1e-13 * volume);
        assert_near(p->inradius, ball, 1e-14);
        assert_vec3_near(p->inner_centre, abut_vec3_make(0, 0, ball - 0.25 * h), 1e-13);
        abut_shape_release(shape);
    }
}

static void numbering(void **state) {
    (void)state;
    abut_shape *shape;
    assert_ok(abut_shape_create_prism(2.0, 3.0, 6, &shape));
    const polytope *p = &shape->surface;
    for (int32_t i = 0; i < 6; i++) {
        double angle = i * PI / 3.0;
        assert_vec3_near(p->vertices[i], abut_vec3_make(2 * cos(angle), 2 * sin(angle), -3), 4e-15);
        assert_vec3_near(p->vertices[6 + i], abut_vec3_make(2 * cos(angle), 2 * sin(angle), 3), 4e-15);
        double middle = (i + 0.5) * PI / 3.0;
        assert_vec3_near(p->normals[2 + i], abut_vec3_make(cos(middle), sin(middle), 0), 4e-15);
    }
    assert_vec3_near(p->normals[0], abut_vec3_make(0, 0, -1), 0.0);
    assert_vec3_near(p->normals[1], abut_vec3_make(0, 0, 1), 0.0);
    abut_shape_release(shape);
    assert_ok(abut_shape_create_pyramid(2.0, 4.0, 6, &shape));
    assert_vec3_near(shape->surface.vertices[6], abut_vec3_make(0, 0, 3), 0.0);
    assert_near(shape->surface.vertices[0].z, -1.0, 0.0);
    assert_vec3_near(shape->surface.normals[0], abut_vec3_make(0, 0, -1), 0.0);
    abut_shape_release(shape);
}

/* Corners that mirror each other do so exactly. If the number of corners is a multiple of four, four of them lie on the axes. */
static void corners_are_symmetric(void **state) {
    (void)state;
    for (int32_t n = 4; n <= 64; n += 4) {
        abut_shape *shape;
        assert_ok(abut_shape_create_prism(1.0, 1.0, n, &shape));
        const abut_vec3 *v = shape->surface.vertices;
        assert_vec3_near(v[n / 4], abut_vec3_make(0, 1, -1), 0.0);
        assert_vec3_near(v[n / 2], abut_vec3_make(-1, 0, -1), 0.0);
        for (int32_t i = 1; i < n; i++) {
            assert_true(v[i].x == v[n - i].x && v[i].y == -v[n - i].y);
            int32_t mirrored = (n / 2 - i + n) % n;
            assert_true(v[i].x == -v[mirrored].x && v[i].y == v[mirrored].y);
        }
        abut_shape_release(shape);
    }
}

static void default_and_most_sides(void **state) {
    (void)state;
    abut_shape *shape;
    assert_ok(abut_shape_create_prism(1.0, 1.0, 0, &shape));
    assert_int_equal(shape->surface.face_count, 34);
    abut_shape_release(shape);
    assert_ok(abut_shape_create_pyramid(1.0, 1.0, 0, &shape));
    assert_int_equal(shape->surface.face_count, 33);
    abut_shape_release(shape);
    assert_ok(abut_shape_create_prism(1e-4, 1.0, 4096, &shape));
    assert_int_equal(shape->surface.face_count, 4098);
    surface_check_topology(&shape->surface);
    assert_near(shape->surface.inradius, 1e-4 * cos(PI / 4096), 1e-18);
    abut_shape_release(shape);
}

static void refused(void **state) {
    (void)state;
    abut_shape *shape = NULL;
    assert_status(abut_shape_create_prism(NAN, 1, 8, &shape), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_prism(1, INFINITY, 8, &shape), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_prism(0, 1, 8, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_prism(1, -1, 8, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_prism(1, 1, 2, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_prism(1, 1, -3, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_prism(1, 1, 4097, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_prism(1e100, 1e100, 8, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_prism(1, 1e-70, 8, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_prism(1e-17, 1, 8, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_prism(1, 1, 8, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_pyramid(NAN, 1, 8, &shape), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_pyramid(1, 0, 8, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_pyramid(1, 1e-16, 8, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_pyramid(1, 1, 4097, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_pyramid(1e-100, 1e-100, 8, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(shape);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cylinder_measures),     cmocka_unit_test(cone_measures),          cmocka_unit_test(numbering),
        cmocka_unit_test(corners_are_symmetric), cmocka_unit_test(default_and_most_sides), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
