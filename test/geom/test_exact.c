/* Cross products of nearly parallel arms, compared with 64-bit integers and with the same product in a form without cancellation. */
#include "geom/exact.h"

#include <float.h>
#include <stdio.h>

#include "support/check.h"

typedef struct whole {
    int64_t x, y, z;
} whole;

static whole random_whole(random_state *random, int32_t reach) {
    return (whole){random_below(random, 2 * reach + 1) - reach, random_below(random, 2 * reach + 1) - reach,
                   random_below(random, 2 * reach + 1) - reach};
}

static whole plus(whole a, whole b) { return (whole){a.x + b.x, a.y + b.y, a.z + b.z}; }

static whole times(int64_t s, whole a) { return (whole){s * a.x, s * a.y, s * a.z}; }

static whole cross(whole u, whole v) { return (whole){u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x}; }

static abut_vec3 real(whole a) { return abut_vec3_make((double)a.x, (double)a.y, (double)a.z); }

/* Arms u from p and v from q. All are integers below 2^27, so products and their differences fit into 64 bits. */
static void check_arms(whole p, whole u, whole q, whole v) {
    abut_vec3 found = exact_cross(real(p), real(plus(p, u)), real(q), real(plus(q, v))), expected = real(cross(u, v));
    assert_near(found.x, expected.x, DBL_EPSILON * fabs(expected.x)); /* the 64-bit integers are rounded when converted to double */
    assert_near(found.y, expected.y, DBL_EPSILON * fabs(expected.y));
    assert_near(found.z, expected.z, DBL_EPSILON * fabs(expected.z));
}

static void integers(void **state) {
    (void)state;
    enum { REACH = 1 << 26 };
    random_state random = random_make(random_seed("integers", 411));
    for (int32_t i = 0; i < 20000; i++) {
        check_arms(random_whole(&random, REACH), random_whole(&random, REACH), random_whole(&random, REACH), random_whole(&random, REACH));
    }
}

/* v = k u + d with a small d: the sine is about |d| / |k u|. It goes down to about 1e-8 for these sizes, and may be zero. */
static void integers_nearly_parallel(void **state) {
    (void)state;
    random_state random = random_make(random_seed("integers_nearly_parallel", 412));
    for (int32_t i = 0; i < 20000; i++) {
        int32_t multiple = 1 + random_below(&random, 4);
        whole u = random_whole(&random, 1 << 24), v = plus(times(i % 2 ? multiple : -multiple, u), random_whole(&random, i % 5));
        check_arms(random_whole(&random, 1 << 26), u, random_whole(&random, 1 << 26), v);
    }
}

/*
 * Arms with full mantissas, at angles with a sine of 1e-8 to 1e-14. With v = m u + d and m a power of two, the product m u is exact, and u x v = u x d has no
 * cancellation. d is the difference of v and m u in doubles. So everything is exact except the cross product with d, which has the error of one product.
 */
static void nearly_parallel(void **state) {
    (void)state;
    random_state random = random_make(random_seed("nearly_parallel", 413));
    double worst = 0.0, plain_worst = 0.0;
    for (int32_t i = 0; i < 20000; i++) {
        double multiple = ldexp(i % 2 ? 1.0 : -1.0, random_below(&random, 9) - 4), sine = random_log_range(&random, 1e-14, 1e-8);
        abut_vec3 u = random_vec3(&random, 0.5, 1.0), along = abut_scale(multiple, u), none = {0, 0, 0};
        abut_vec3 v = abut_add_scaled(along, sine * fabs(multiple), random_direction(&random)), d = abut_sub(v, along);
        abut_vec3 expected = abut_cross(u, d), found = exact_cross(none, u, none, v), plain = abut_cross(u, v);
        double length = abut_length(u) * abut_length(d);
        worst = fmax(worst, abut_distance_between(found, expected) / length);
        plain_worst = fmax(plain_worst, abut_distance_between(plain, expected) / length);
    }
    printf("nearly_parallel: off by at most %.2g of the small arm, the plain formula by %.2g\n", worst, plain_worst);
    assert_true(worst <= 4.0 * DBL_EPSILON);
    assert_true(plain_worst > 1e-3); /* otherwise these arms show no difference */
}

/* Differences of end points that no double holds: the lost digits of the arms count. 1 + 2^-30 - 2^-60 is an example. */
static void arms_with_more_digits_than_one_number(void **state) {
    (void)state;
    const double small = ldexp(1.0, -60), step = ldexp(1.0, -30);
    /* u = (1 - 2^-60, 1, 0), v = (1, 1 + 2^-30, 0): u_x v_y - u_y v_x = 2^-30 - 2^-60 - 2^-90 */
    const abut_vec3 near = {small, 0, 0}, corner = {1, 1, 0}, origin = {0, 0, 0};
    abut_vec3 found = exact_cross(near, corner, origin, abut_vec3_make(1, 1 + step, 0));
    double expected = step - small - ldexp(1.0, -90);
    assert_vec3_near(found, abut_vec3_make(0, 0, expected), DBL_EPSILON * expected);
    /* v is parallel to u except for the lost digit: u_x v_y - u_y v_x = -2^-60 */
    found = exact_cross(near, corner, origin, corner);
    assert_vec3_near(found, abut_vec3_make(0, 0, -small), 0.0);
}

/* A power of two changes no digit. Points may be so far from the origin that they themselves cannot be scaled. */
static void scaled(void **state) {
    (void)state;
    random_state random = random_make(random_seed("scaled", 414));
    for (int32_t i = 0; i < 2000; i++) {
        abut_vec3 p[4], small[4];
        double unit = ldexp(1.0, -900), far = ldexp(1.0, 1000);
        for (int32_t k = 0; k < 4; k++) {
            p[k] = k < 2 ? random_vec3(&random, -1.0, 1.0) : abut_add_scaled(p[k - 2], 1e-12, random_direction(&random));
            p[k].x = i % 2 == 0 ? p[k].x : 0.0;
            small[k] = abut_vec3_make(i % 2 == 0 ? unit * p[k].x : far, unit * p[k].y, unit * p[k].z);
        }
        abut_vec3 found = exact_cross_scaled(1.0 / unit, small[0], small[1], small[2], small[3]);
        assert_vec3_near(found, exact_cross(p[0], p[1], p[2], p[3]), 0.0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(integers),        cmocka_unit_test(integers_nearly_parallel),
        cmocka_unit_test(nearly_parallel), cmocka_unit_test(arms_with_more_digits_than_one_number),
        cmocka_unit_test(scaled),
    };
    return cmocka_run_group_tests_name("geom/exact", tests, NULL, NULL);
}
