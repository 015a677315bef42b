/* Superquadrics: special cases that equal other shapes, mass by quadrature, flat and pointed places, and refused arguments. */
#include <abut/smooth.h>

#include "shape/shape.h"
#include "shape/smooth.h"
#include "support/check.h"
#include "support/smooth_body.h"

static void fields(void **state) {
    (void)state;
    abut_shape *pillow;
    double e1 = -1.0, e2 = -1.0;
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(2.0, 1.0, 0.5), 0.5, 1.5, &pillow));
    assert_int_equal(abut_shape_kind(pillow), ABUT_SHAPE_SUPERQUADRIC);
    assert_string_equal(abut_kind_name(ABUT_SHAPE_SUPERQUADRIC), "superquadric");
    abut_shape_exponents(pillow, &e1, &e2);
    assert_near(e1, 0.5, 0.0);
    assert_near(e2, 1.5, 0.0);
    abut_shape_exponents(NULL, &e1, NULL);
    assert_near(e1, 0.0, 0.0);
    abut_shape_release(pillow);
}

/* With both exponents 1, the shape is the ellipsoid. */
static void round_one_is_an_ellipsoid(void **state) {
    (void)state;
    abut_shape *egg, *same;
    abut_vec3 half = {1.5, 0.7, 0.4};
    assert_ok(abut_shape_create_ellipsoid(half, &egg));
    assert_ok(abut_shape_create_superquadric(half, 1.0, 1.0, &same));
    assert_near(same->unit_mass.volume, egg->unit_mass.volume, 1e-14);
    assert_near(same->unit_mass.inertia.y.y, egg->unit_mass.inertia.y.y, 1e-14);
    random_state random = random_make(random_seed("round_one_is_an_ellipsoid", 941));
    for (int i = 0; i < 200; ++i) {
        abut_vec3 n = random_direction(&random), u, v;
        smooth_place p, q;
        abut_tangent_frame(n, &u, &v);
        smooth_place_find(egg, n, u, v, &p);
        smooth_place_find(same, n, u, v, &q);
        assert_vec3_near(q.point, p.point, 1e-13);
        assert_near(q.r11, p.r11, 1e-12);
        assert_near(q.r12, p.r12, 1e-12);
        assert_near(q.r22, p.r22, 1e-12);
    }
    abut_shape_release(egg);
    abut_shape_release(same);
}

/* Volume and moments as integrals over slices along the height, each slice integrated over the angle; both use the midpoint rule on smooth variables. */
static void check_mass(abut_vec3 half, double e1, double e2) {
    enum { STEPS = 2000 };
    const double quarter = 1.5707963267948966;
    abut_shape *shape;
    assert_ok(abut_shape_create_superquadric(half, e1, e2, &shape));
    double area = 0.0, moment_x = 0.0; /* area of the superellipse |x|^(2/e2) + |y|^(2/e2) <= 1 */
    for (int i = 0; i < STEPS; ++i) {
        /* r(angle), with samples that are dense near the axes, where r changes fast. */
        double s = (i + 0.5) / STEPS, w = s * s * s * (10.0 + s * (6.0 * s - 15.0)), dw = 30.0 * s * s * (1.0 - s) * (1.0 - s);
        double angle = quarter * w, c = cos(angle), y = sin(angle);
        double r = pow(pow(c, 2.0 / e2) + pow(y, 2.0 / e2), -0.5 * e2);
        area += 4.0 * 0.5 * r * r * quarter * dw / STEPS;
        moment_x += 4.0 * 0.25 * r * r * r * r * c * c * quarter * dw / STEPS;
    }
    double volume = 0.0, flat = 0.0, high = 0.0;
    for (int i = 0; i < STEPS; ++i) {
        double s = (i + 0.5) / STEPS, w = s * s * s * (10.0 + s * (6.0 * s - 15.0)), dw = 30.0 * s * s * (1.0 - s) * (1.0 - s);
        double r = pow(1.0 - pow(w, 2.0 / e1), 0.5 * e1);
        volume += 2.0 * area * r * r * dw / STEPS;
        flat += 2.0 * moment_x * r * r * r * r * dw / STEPS;
        high += 2.0 * area * r * r * w * w * dw / STEPS;
    }
    double cube = half.x * half.y * half.z, x = cube * half.x * half.x * flat, y = cube * half.y * half.y * flat,
           z = cube * half.z * half.z * high;
    assert_near(shape->unit_mass.volume, cube * volume, 1e-6 * cube);
    assert_near(shape->unit_mass.inertia.x.x, y + z, 1e-6 * cube);
    assert_near(shape->unit_mass.inertia.y.y, x + z, 1e-6 * cube);
    assert_near(shape->unit_mass.inertia.z.z, x + y, 1e-6 * cube);
    abut_shape_release(shape);
}

static void mass(void **state) {
    (void)state;
    check_mass(abut_vec3_make(1.0, 1.0, 1.0), 0.5, 0.5);
    check_mass(abut_vec3_make(2.0, 0.7, 1.2), 0.3, 1.7);
    check_mass(abut_vec3_make(0.8, 1.0, 1.9), 1.6, 0.4);
    check_mass(abut_vec3_make(1.0, 1.5, 0.4), 1.4, 1.4);
}

/* Points computed from angles, independent of the support function: none lies outside, and some reach it. */
static void points_by_angles(void **state) {
    (void)state;
    random_state random = random_make(random_seed("points_by_angles", 942));
    for (int i = 0; i < 50; ++i) {
        smooth_body body = smooth_body_random(&random, SMOOTH_SUPERQUADRIC, 3.0, 0.25);
        abut_shape *shape = smooth_body_shape(&body);
        abut_vec3 n = random_direction(&random);
        double reach = abut_dot(n, smooth_support(shape, n)), most = 0.0;
        enum { STEPS = 200 };
        for (int j = 0; j <= STEPS; ++j) {
            double polar = 1.5707963267948966 * j / STEPS, round = pow(cos(polar), body.e1), up = body.half.z * pow(sin(polar), body.e1);
            for (int k = 0; k <= STEPS; ++k) {
                double azimuth = 1.5707963267948966 * k / STEPS;
                double x = body.half.x * round * pow(cos(azimuth), body.e2), y = body.half.y * round * pow(sin(azimuth), body.e2);
                most = fmax(most, fabs(n.x) * x + fabs(n.y) * y + fabs(n.z) * up);
            }
        }
        assert_true(most <= reach + 1e-14);
        assert_true(most >= reach - 1e-2);
        abut_shape_release(shape);
    }
}

/* Flat for exponents below 1; radius of curvature zero for exponents above 1. */
static void flat_and_pointed(void **state) {
    (void)state;
    abut_shape *dice, *top;
    abut_curvature c;
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(1.0, 1.0, 1.0), 0.5, 0.5, &dice));
    assert_ok(abut_shape_curvature(dice, abut_vec3_make(0.0, 0.0, 2.0), &c));
    assert_vec3_near(c.point, abut_vec3_make(0.0, 0.0, 1.0), 1e-15);
    assert_true(c.radius[0] == INFINITY && c.radius[1] == INFINITY && c.curvature[0] == 0.0 && c.curvature[1] == 0.0);
    assert_ok(abut_shape_create_superquadric(abut_vec3_make(1.0, 1.0, 1.0), 1.5, 1.0, &top));
    assert_ok(abut_shape_curvature(top, abut_vec3_make(0.0, 0.0, -1.0), &c));
    assert_vec3_near(c.point, abut_vec3_make(0.0, 0.0, -1.0), 1e-15);
    assert_true(c.radius[0] == 0.0 && c.radius[1] == 0.0 && c.curvature[0] == INFINITY);
    abut_shape_release(dice);
    abut_shape_release(top);
}

/* The least radius, on which proofs depend, is at most any radius, however slender the body. At a plate's sharpest place the normal is far from the
 * directions of evenly spaced points. */
static void no_radius_is_less_than_the_least(void **state) {
    (void)state;
    random_state random = random_make(random_seed("no_radius_is_less_than_the_least", 51));
    for (int i = 0; i < 100; ++i) {
        abut_vec3 half = {random_log_range(&random, 1e-6, 1.0), random_log_range(&random, 1e-6, 1.0), random_log_range(&random, 1e-6, 1.0)};
        abut_shape *shape;
        assert_ok(abut_shape_create_superquadric(half, random_range(&random, 0.2, 1.0), random_range(&random, 0.2, 1.0), &shape));
        assert_true(shape->least_radius > 0.0 && shape->least_radius < fmin(half.x, fmin(half.y, half.z)));
        for (int k = 0; k < 500; ++k) {
            abut_vec3 n = random_direction(&random);
            double spread = random_range(&random, 0.0, 1.0);
            n = abut_vec3_make(n.x * pow(half.x, -spread), n.y * pow(half.y, -spread), n.z * pow(half.z, -spread));
            abut_curvature c;
            assert_ok(abut_shape_curvature(shape, n, &c));
            assert_true(fmin(c.radius[0], c.radius[1]) >= shape->least_radius);
        }
        abut_shape_release(shape);
    }
}

/* The largest ball about the middle: no support plane is nearer to it than its radius, and the nearest of many touches it. */
static void the_ball_inside_touches_the_surface(void **state) {
    (void)state;
    enum { STEPS = 120 };
    random_state random = random_make(random_seed("the_ball_inside_touches_the_surface", 77));
    for (int32_t i = 0; i < 12; ++i) {
        smooth_body body = smooth_body_random(&random, SMOOTH_SUPERQUADRIC, 4.0, 0.25);
        abut_shape *shape = smooth_body_shape(&body);
        double least = INFINITY;
        for (int32_t k = 0; k < STEPS * STEPS; ++k) {
            double polar = 1.57079632679489662 * (k / STEPS) / (STEPS - 1), azimuth = 1.57079632679489662 * (k % STEPS) / (STEPS - 1);
            const long double n[3] = {cosl(polar) * cosl(azimuth), cosl(polar) * sinl(azimuth), sinl(polar)};
            least = fmin(least, (double)smooth_body_support(&body, n));
        }
        assert_true(shape->inner_radius <= least * (1.0 + 1e-14));
        assert_true(shape->inner_radius >= least * (1.0 - 1e-3));
        abut_shape_release(shape);
    }
}

static void refused(void **state) {
    (void)state;
    abut_shape *shape = NULL;
    abut_vec3 one = {1.0, 1.0, 1.0};
    assert_status(abut_shape_create_superquadric(one, NAN, 1.0, &shape), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_superquadric(abut_vec3_make(1, -INFINITY, 1), 1.0, 1.0, &shape), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_shape_create_superquadric(one, 0.0, 1.0, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_superquadric(one, 1.0, 2.0, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_superquadric(abut_vec3_make(1, 0, 1), 1.0, 1.0, &shape), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_shape_create_superquadric(one, 1.0, 1.0, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(shape);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fields),
                                       cmocka_unit_test(round_one_is_an_ellipsoid),
                                       cmocka_unit_test(mass),
                                       cmocka_unit_test(points_by_angles),
                                       cmocka_unit_test(flat_and_pointed),
                                       cmocka_unit_test(the_ball_inside_touches_the_surface),
                                       cmocka_unit_test(refused),
                                       cmocka_unit_test(no_radius_is_less_than_the_least)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
