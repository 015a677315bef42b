/* Smallest eigenvectors of matrices with known ones. The eigenvalues are far apart, equal, or almost zero. */
#include "geom/eigen.h"

#include "support/check.h"
#include "support/random.h"

static sym3 made_of(abut_mat3 axes, const double value[3]) {
    sym3 m = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
    m = sym3_add_outer(m, value[0], axes.x);
    m = sym3_add_outer(m, value[1], axes.y);
    return sym3_add_outer(m, value[2], axes.z);
}

static double quotient(sym3 m, abut_vec3 n) { return abut_dot(n, sym3_mul(m, n)); }

static void check_matrix(tally *t, sym3 m, const double value[3]) {
    double size = m.xx + m.yy + m.zz, least = fmin(value[0], fmin(value[1], value[2]));
    abut_vec3 n = eigen_smallest(m), residual = abut_add_scaled(sym3_mul(m, n), -quotient(m, n), n);
    if (!(fabs(abut_length(n) - 1.0) <= 1e-15)) {
        tally_fail(t, "not unit", "%.17g", abut_length(n));
    }
    if (!(fabs(quotient(m, n) - least) <= 2e-15 * size)) {
        tally_fail(t, "not the least", "%.17g instead of %.17g of %g", quotient(m, n), least, size);
    }
    if (!(abut_length(residual) <= 4e-15 * size)) {
        tally_fail(t, "not an eigenvector", "%.3g of %g", abut_length(residual), size);
    }
    if (eigen_is_above(m, least)) {
        tally_fail(t, "above its least eigenvalue", "%.17g", least);
    }
    if (least > 0.1 * size && !eigen_is_above(m, 0.5 * least)) {
        tally_fail(t, "not above half of it", "%.17g", least);
    }
}

static void test_random(void **state) {
    (void)state;
    random_state random = random_make(random_seed("eigen", 11));
    static tally t;
    for (int32_t i = 0, count = random_samples("eigen", 200000); i < count; ++i) {
        double value[3], unit = random_log_range(&random, 1e-80, 1e80);
        for (int k = 0; k < 3; ++k) {
            value[k] = unit * random_log_range(&random, 1e-14, 1.0);
        }
        value[1] = random_below(&random, 4) == 0 ? value[0] : value[1];
        value[2] = random_below(&random, 8) == 0 ? value[0] : value[2];
        value[0] = random_below(&random, 8) == 0 ? 0.0 : value[0];
        tally_sample(&t, "sample %d, eigenvalues %g %g %g", (int)i, value[0], value[1], value[2]);
        check_matrix(&t, made_of(abut_mat3_from_quat(random_rotation(&random)), value), value);
    }
    tally_end(&t);
}

static void test_degenerate(void **state) {
    (void)state;
    abut_vec3 any = eigen_smallest((sym3){0.0, 0.0, 0.0, 0.0, 0.0, 0.0});
    assert_near(abut_length(any), 1.0, 0.0);
    assert_near(fabs(eigen_smallest((sym3){2.0, 1.0, 3.0, 0.0, 0.0, 0.0}).y), 1.0, 0.0);
    assert_near(abut_length(eigen_smallest((sym3){NAN, 1.0, 1.0, 0.0, 0.0, 0.0})), 0.0, 0.0);
    assert_near(abut_length(eigen_smallest((sym3){INFINITY, 1.0, 1.0, 0.0, 0.0, 0.0})), 0.0, 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_degenerate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
