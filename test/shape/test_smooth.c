/* Properties of all smooth shapes. The support point and its radii are the first and second derivatives of the support function; the test takes differences
 * of an independent support function in long double. The gauge belongs to the same body. */
#include <abut/smooth.h>

#include "shape/shape.h"
#include "shape/smooth.h"
#include "support/check.h"
#include "support/smooth_body.h"

/* The support function at n + s u + t v. */
static long double beside(const smooth_body *body, abut_vec3 n, abut_vec3 u, abut_vec3 v, long double s, long double t) {
    const long double m[3] = {n.x + s * u.x + t * v.x, n.y + s * u.y + t * v.y, n.z + s * u.z + t * v.z};
    return smooth_body_support(body, m);
}

/* First and second differences along u, of fourth order. */
static long double slope(const smooth_body *b, abut_vec3 n, abut_vec3 u, long double h) {
    return (8.0L * (beside(b, n, u, u, h, 0.0L) - beside(b, n, u, u, -h, 0.0L)) - beside(b, n, u, u, 2.0L * h, 0.0L) +
            beside(b, n, u, u, -2.0L * h, 0.0L)) /
           (12.0L * h);
}

static long double bend(const smooth_body *b, abut_vec3 n, abut_vec3 u, long double h) {
    return (16.0L * (beside(b, n, u, u, h, 0.0L) + beside(b, n, u, u, -h, 0.0L)) - beside(b, n, u, u, 2.0L * h, 0.0L) -
            beside(b, n, u, u, -2.0L * h, 0.0L) - 30.0L * beside(b, n, u, u, 0.0L, 0.0L)) /
           (12.0L * h * h);
}

static abut_vec3 between(abut_vec3 u, abut_vec3 v) { return abut_scale(0.70710678118654752, abut_add(u, v)); }

/* Distance of the direction from the coordinate planes, where some exponents make the derivatives jump. */
static double clearance(abut_vec3 n) { return fmin(fabs(n.x), fmin(fabs(n.y), fabs(n.z))); }

static void check_derivatives(smooth_kind kind, uint64_t seed, const char *name) {
    random_state random = random_make(random_seed(name, seed));
    int32_t count = random_samples(name, 5000);
    tally t = {0};
    for (int32_t i = 0; i < count; ++i) {
        smooth_body body = smooth_body_random(&random, kind, 4.0, 0.4);
        abut_shape *shape = smooth_body_shape(&body);
        abut_vec3 n = random_direction(&random), u, v;
        if (clearance(n) < 0.15) {
            abut_shape_release(shape);
            continue;
        }
        long double h = 2e-3L * (long double)clearance(n);
        abut_tangent_frame(n, &u, &v);
        smooth_place place;
        smooth_place_find(shape, n, u, v, &place);
        tally_sample(&t, "%d: e %g %g", i, body.e1, body.e2);
        abut_vec3 point = {(double)slope(&body, n, abut_vec3_make(1, 0, 0), h), (double)slope(&body, n, abut_vec3_make(0, 1, 0), h),
                           (double)slope(&body, n, abut_vec3_make(0, 0, 1), h)};
        double r11 = (double)bend(&body, n, u, h), r22 = (double)bend(&body, n, v, h),
               r12 = (double)bend(&body, n, between(u, v), h) - 0.5 * (r11 + r22);
        double off_point = abut_distance_between(point, place.point), scale = 1.0 + fabs(r11) + fabs(r22);
        double off = fmax(fabs(r11 - place.r11), fmax(fabs(r22 - place.r22), fabs(r12 - place.r12)));
        if (!(off_point <= 1e-9)) {
            tally_fail(&t, "point", "off by %g", off_point);
        }
        if (!(off <= 1e-8 * scale)) {
            tally_fail(&t, "radii", "off by %g of %g", off, scale);
        }
        if (!(fabs(abut_dot(n, smooth_support(shape, n)) - (double)beside(&body, n, u, v, 0.0L, 0.0L)) <= 1e-14)) {
            tally_fail(&t, "support", "%.17g", abut_dot(n, smooth_support(shape, n)));
        }
        abut_vec3 gradient;
        double value = smooth_gauge(shape, place.point, &gradient);
        if (!(fabs(value - 1.0) <= 1e-13) || !(abut_length(abut_cross(abut_unit(gradient), n)) <= 1e-11)) {
            tally_fail(&t, "gauge", "%.17g at the surface, normal off by %g", value, abut_length(abut_cross(abut_unit(gradient), n)));
        }
        abut_shape_release(shape);
    }
    tally_end(&t);
}

static void derivatives_of_ellipsoids(void **state) {
    (void)state;
    check_derivatives(SMOOTH_ELLIPSOID, 931, "derivatives_of_ellipsoids");
}

static void derivatives_of_superquadrics(void **state) {
    (void)state;
    check_derivatives(SMOOTH_SUPERQUADRIC, 932, "derivatives_of_superquadrics");
}

/* No radius of curvature is less than the least radius that the shape reports. */
static void least_radius(void **state) {
    (void)state;
    random_state random = random_make(random_seed("least_radius", 933));
    int32_t count = random_samples("least_radius", 500);
    for (int32_t i = 0; i < count; ++i) {
        smooth_body body = smooth_body_random(&random, i % 2 == 0 ? SMOOTH_ELLIPSOID : SMOOTH_SUPERQUADRIC, 6.0, 0.3);
        abut_shape *shape = smooth_body_shape(&body);
        for (int k = 0; k < 300; ++k) {
            abut_vec3 n = random_direction(&random), u, v;
            smooth_place place;
            abut_tangent_frame(n, &u, &v);
            smooth_place_find(shape, n, u, v, &place);
            double mean = 0.5 * (place.r11 + place.r22), half = 0.5 * (place.r11 - place.r22);
            double small = mean - sqrt(half * half + place.r12 * place.r12);
            assert_true(small >= shape->least_radius - 1e-12 * fabs(mean));
        }
        abut_shape_release(shape);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(derivatives_of_ellipsoids), cmocka_unit_test(derivatives_of_superquadrics),
                                       cmocka_unit_test(least_radius)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
