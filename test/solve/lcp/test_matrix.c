/* abut_lcp_set_matrix(), and the answers to invalid arguments. */
#include "support/allocator.h"
#include "support/check.h"

#include <math.h>

#include <abut/solve.h>

static int make_solver(void **state) { return abut_lcp_create((abut_lcp **)state) == ABUT_OK ? 0 : -1; }

static int destroy_solver(void **state) {
    abut_lcp_destroy(*state);
    return 0;
}

static abut_status set2(abut_lcp *lcp, double a, double b, double c, double d) {
    const double matrix[4] = {a, b, c, d};
    abut_status status = abut_lcp_set_matrix(lcp, 2, matrix);
    assert_int_equal(abut_lcp_size(lcp), status == ABUT_OK ? 2 : 0);
    return status;
}

static void test_matrices(void **state) {
    assert_ok(set2(*state, 2, 1, 1, 2));
    assert_ok(set2(*state, 1, 1, 1, 1));
    assert_ok(set2(*state, 0, 0, 0, 0));
    assert_ok(set2(*state, 1, 1, 1.0 + 1e-12, 2));
    assert_ok(set2(*state, 1e-200, 1e-12, 1e-12, 1e200));
    assert_status(set2(*state, 2, 1, 1.001, 2), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(set2(*state, -1, 0, 0, 2), ABUT_ERROR_INDEFINITE);
    assert_status(set2(*state, 1, 2, 2, 1), ABUT_ERROR_INDEFINITE);
    assert_status(set2(*state, 0, 1, 1, 1), ABUT_ERROR_INDEFINITE);
    assert_status(set2(*state, 1, NAN, 0, 1), ABUT_ERROR_NOT_FINITE);
    assert_status(set2(*state, 1, 0, NAN, 1), ABUT_ERROR_NOT_FINITE);
    assert_status(set2(*state, 1, 0, 0, INFINITY), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_lcp_set_matrix(*state, 1, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    const double one = 1.0;
    assert_status(abut_lcp_set_matrix(*state, -1, &one), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_lcp_set_matrix(*state, 46341, &one), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_lcp_set_matrix(NULL, 1, &one), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_lcp_create(NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(abut_lcp_size(NULL), 0);
    abut_lcp_destroy(NULL);
}

/* The upper triangle is checked but not used. */
static void test_the_lower_triangle_is_used(void **state) {
    const double q[2] = {-1.0, -1.0};
    double z[2], again[2];
    assert_ok(set2(*state, 1, 0.5, 0.5 + 1e-12, 2));
    assert_ok(abut_lcp_solve(*state, q, NULL, z, NULL, NULL));
    assert_ok(set2(*state, 1, 0.5 + 1e-12, 0.5 + 1e-12, 2));
    assert_ok(abut_lcp_solve(*state, q, NULL, again, NULL, NULL));
    assert_memory_equal(z, again, sizeof z);
}

static abut_status solve(abut_lcp *lcp, const double *q, const abut_lcp_settings *settings) {
    double z[2] = {-7.0, -7.0}, w[2] = {-7.0, -7.0};
    abut_lcp_result result = {.pivots = -7};
    abut_status status = abut_lcp_solve(lcp, q, settings, z, w, &result);
    bool untouched = z[0] == -7.0 && z[1] == -7.0 && w[0] == -7.0 && w[1] == -7.0 && result.pivots == -7;
    assert_int_equal(untouched, status != ABUT_OK);
    return status;
}

static void test_wrong_arguments(void **state) {
    const double q[2] = {-1.0, -1.0}, nan[2] = {-1.0, NAN}, huge[2] = {-1.0, -1e308};
    abut_lcp_settings settings = abut_lcp_settings_default();
    double z[2];
    assert_ok(set2(*state, 2, 1, 1, 2));
    assert_ok(solve(*state, q, NULL));
    assert_ok(solve(*state, q, &settings));
    assert_status(solve(NULL, q, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(solve(*state, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(solve(*state, nan, NULL), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_lcp_solve(*state, q, NULL, NULL, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    settings.method = (abut_lcp_method)2;
    assert_status(solve(*state, q, &settings), ABUT_ERROR_INVALID_ARGUMENT);
    const double tolerances[3] = {0.0, -1.0, NAN}, magnitudes[2] = {-1.0, INFINITY};
    for (int i = 0; i < 3; i++) {
        settings = abut_lcp_settings_default();
        settings.tolerance = tolerances[i];
        assert_status(solve(*state, q, &settings), i < 2 ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_ERROR_NOT_FINITE);
    }
    for (int i = 0; i < 2; i++) {
        settings = abut_lcp_settings_default();
        settings.magnitude = magnitudes[i];
        assert_status(solve(*state, q, &settings), i == 0 ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_ERROR_NOT_FINITE);
    }
    settings = abut_lcp_settings_default();
    settings.pivot_limit = -1;
    assert_status(solve(*state, q, &settings), ABUT_ERROR_INVALID_ARGUMENT);
    assert_ok(set2(*state, 1e-4, 0, 0, 1e-4));
    assert_status(solve(*state, huge, NULL), ABUT_ERROR_NOT_FINITE); /* z would be 1e312 */
    assert_ok(abut_lcp_solve(*state, q, NULL, z, NULL, NULL));
    assert_near(z[0], 1e4, 1e-11);
}

/* Each pair of rows is consistent, but all three together are not: 1 on the diagonal and -0.9 elsewhere gives an eigenvalue of -0.8. */
static void test_indefinite_in_the_whole(void **state) {
    const double matrix[9] = {1, -0.9, -0.9, -0.9, 1, -0.9, -0.9, -0.9, 1}, q[3] = {-1.0, -1.0, -1.0};
    assert_ok(abut_lcp_set_matrix(*state, 3, matrix));
    for (int method = 0; method < 2; method++) {
        double z[3] = {-7.0, -7.0, -7.0};
        abut_lcp_settings settings = abut_lcp_settings_default();
        settings.method = (abut_lcp_method)method;
        assert_status(abut_lcp_solve(*state, q, &settings, z, NULL, NULL), ABUT_ERROR_INDEFINITE);
        assert_near(z[0], -7.0, 0.0);
    }
}

/* Very small numbers and rows of very different units are accepted. */
static void test_tiny_numbers(void **state) {
    const double q[2] = {-5e-324, 5e-324}, small[2] = {-3e-150, -3e-200};
    double z[2], w[2];
    abut_lcp_result result;
    assert_ok(set2(*state, 8, 1, 1, 2));
    assert_ok(abut_lcp_solve(*state, q, NULL, z, w, &result));
    assert_near(z[0], 0.0, 0.0);
    assert_true(result.residual < 1e-9);
    assert_ok(set2(*state, 3e-200, 0, 0, 3e-300));
    assert_ok(abut_lcp_solve(*state, small, NULL, z, w, &result));
    assert_near(z[0], 1e50, 1e35);
    assert_near(z[1], 1e100, 1e85);
}

/* At the limit of pivots, the solver returns the best result and its residual. */
static void test_pivot_limit(void **state) {
    enum { N = 20 };
    double matrix[N * N], q[N], z[N], w[N];
    for (int i = 0; i < N; i++) {
        q[i] = i % 2 == 0 ? -1.0 : 1.0;
        for (int j = 0; j < N; j++) {
            matrix[i * N + j] = i == j ? 1.0 : (i + j) % 2 == 0 ? 0.9 : -0.9;
        }
    }
    abut_lcp_settings settings = abut_lcp_settings_default();
    abut_lcp_result result;
    assert_ok(abut_lcp_set_matrix(*state, N, matrix));
    settings.method = ABUT_LCP_LEMKE;
    settings.pivot_limit = 1;
    abut_status status = abut_lcp_solve(*state, q, &settings, z, w, &result);
    assert_true(status == ABUT_OK || status == ABUT_ERROR_ITERATION_LIMIT);
    assert_int_equal(status == ABUT_OK, result.residual <= 1e-9);
    assert_int_equal(result.fallbacks, 1);
    settings.pivot_limit = 0;
    assert_ok(abut_lcp_solve(*state, q, &settings, z, w, &result));
    assert_int_equal(result.fallbacks, 0);
}

static void test_no_memory(void **state) {
    (void)state;
    enum { N = 20 };
    double matrix[N * N] = {0.0}, q[N], z[N];
    for (int i = 0; i < N; i++) {
        matrix[i * N + i] = 1.0;
        q[i] = -1.0;
    }
    counting_allocator memory = {.refuse_at = -1};
    int64_t refused = 0;
    do {
        abut_lcp *lcp = NULL;
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_status status = abut_lcp_create(&lcp);
        status = status == ABUT_OK ? abut_lcp_set_matrix(lcp, N, matrix) : status;
        status = status == ABUT_OK ? abut_lcp_solve(lcp, q, NULL, z, NULL, NULL) : status;
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        abut_lcp_destroy(lcp);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
}

int main(void) {
#define SOLVER_TEST(test) cmocka_unit_test_setup_teardown(test, make_solver, destroy_solver)
    const struct CMUnitTest tests[] = {
        SOLVER_TEST(test_matrices),        SOLVER_TEST(test_the_lower_triangle_is_used),
        SOLVER_TEST(test_wrong_arguments), SOLVER_TEST(test_indefinite_in_the_whole),
        SOLVER_TEST(test_tiny_numbers),    SOLVER_TEST(test_pivot_limit),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
