/* abut_lcp_set_rows() against the dense matrix by its definition; coupling of bodies; invalid arguments. */
#include "support/allocator.h"
#include "support/check.h"
#include "support/lcp_case.h"

#include <math.h>

enum { MOST = 128 };

static int make_solver(void **state) { return abut_lcp_create((abut_lcp **)state) == ABUT_OK ? 0 : -1; }

static int destroy_solver(void **state) {
    abut_lcp_destroy(*state);
    return 0;
}

/* If row i alone is active and q_i = -1, then w_j = A_ij z_i + q_j with z_i = 1 / A_ii. This shows every entry. */
static void test_entries(void **state) {
    random_state random = random_make(random_seed("entries", 1));
    for (int round = 0; round < 20; round++) {
        lcp_case c = lcp_case_heap(&random, 5, 4);
        double q[MOST], z[MOST], w[MOST];
        bool out[MOST];
        abut_lcp_settings settings = abut_lcp_settings_default();
        settings.left_out = out;
        assert_ok(abut_lcp_set_rows(*state, c.bodies, c.body_count, c.rows, c.n));
        assert_int_equal(abut_lcp_size(*state), c.n);
        for (int32_t i = 0; i < c.n; i++) {
            for (int32_t j = 0; j < c.n; j++) {
                q[j] = j == i ? -1.0 : 0.0;
                out[j] = j != i;
            }
            assert_ok(abut_lcp_solve(*state, q, &settings, z, w, NULL));
            double diagonal = c.matrix[i * c.n + i];
            assert_near(z[i] * diagonal, 1.0, 1e-14);
            for (int32_t j = 0; j < c.n; j++) {
                double size = sqrt(diagonal * c.matrix[j * c.n + j]);
                assert_near((w[j] - q[j]) * diagonal, c.matrix[i * c.n + j], 1e-13 * size);
            }
        }
        lcp_case_release(&c);
    }
}

static const abut_vec3 up = {0, 0, 1}, arm = {0, 0, -1};

/* Contacts with the ground, or with a body that cannot move, do not couple the bodies on it. */
static void test_islands(void **state) {
    enum { PAIRS = 30 };
    abut_lcp_body bodies[PAIRS + 1] = {{0.0, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}};
    abut_lcp_row rows[PAIRS];
    double q[PAIRS], z[PAIRS];
    abut_lcp_result result;
    for (int i = 0; i < PAIRS; i++) {
        bodies[1 + i].inverse_mass = 1.0 + i;
        rows[i] = i % 2 == 0 ? abut_lcp_contact_row(1 + i, 0, up, arm, arm) : abut_lcp_contact_row(-1, 1 + i, up, arm, arm);
        q[i] = -1.0;
    }
    assert_ok(abut_lcp_set_rows(*state, bodies, PAIRS + 1, rows, PAIRS));
    assert_ok(abut_lcp_solve(*state, q, NULL, z, NULL, &result));
    assert_int_equal(result.islands, PAIRS);
    for (int i = 0; i < PAIRS; i++) {
        assert_near(z[i], 1.0 / (1.0 + i), 1e-15);
    }
    bodies[0].inverse_inertia.x.x = 1.0; /* now it can be turned, but not by these forces: coupled, with entries of 0 */
    assert_ok(abut_lcp_set_rows(*state, bodies, PAIRS + 1, rows, PAIRS));
    assert_ok(abut_lcp_solve(*state, q, NULL, z, NULL, &result));
    assert_int_equal(result.islands, PAIRS / 2 + 1);
    for (int i = 0; i < PAIRS; i++) {
        assert_near(z[i], 1.0 / (1.0 + i), 1e-15);
    }
}

/* Two walls close in on a body from both sides. */
static void test_jammed(void **state) {
    const abut_lcp_body body = {1.0, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const abut_vec3 x = {1, 0, 0}, y = {0, 1, 0};
    const abut_lcp_row rows[3] = {abut_lcp_contact_row(0, -1, x, abut_neg(x), x), abut_lcp_contact_row(0, -1, abut_neg(x), x, x),
                                  abut_lcp_contact_row(0, -1, y, abut_neg(y), y)};
    const double q[3] = {-3.0, -1.0, -1.0};
    assert_ok(abut_lcp_set_rows(*state, &body, 1, rows, 3));
    for (int method = 0; method < 2; method++) {
        double z[3], w[3];
        abut_lcp_result result;
        abut_lcp_settings settings = abut_lcp_settings_default();
        settings.method = (abut_lcp_method)method;
        assert_status(abut_lcp_solve(*state, q, &settings, z, w, &result), ABUT_ERROR_INFEASIBLE);
        assert_near(z[0], 1.0, 1e-15);
        assert_near(z[1], 1.0, 1e-15);
        assert_near(z[2], 0.0, 0.0);
        for (int i = 0; i < 3; i++) {
            assert_near(w[i], 0.0, 1e-15);
        }
        assert_true(isinf(result.residual));
    }
    /* walls that move in the same direction push it along */
    const double along[3] = {-3.0, 3.0, 0.0};
    double z[3];
    assert_ok(abut_lcp_solve(*state, along, NULL, z, NULL, NULL));
    assert_near(z[0], 3.0, 1e-14);
}

/* Nothing can move: there is nothing to solve, or no solution. */
static void test_nothing_moves(void **state) {
    const abut_lcp_row row = abut_lcp_contact_row(-1, -1, up, arm, arm);
    const double parting = 1.0, closing = -1.0;
    double z, w;
    assert_ok(abut_lcp_set_rows(*state, NULL, 0, &row, 1));
    assert_ok(abut_lcp_solve(*state, &parting, NULL, &z, &w, NULL));
    assert_near(w, 1.0, 0.0);
    for (int method = 0; method < 2; method++) {
        abut_lcp_settings settings = abut_lcp_settings_default();
        settings.method = (abut_lcp_method)method;
        assert_status(abut_lcp_solve(*state, &closing, &settings, &z, &w, NULL), ABUT_ERROR_INFEASIBLE);
        assert_near(z, 1.0, 0.0);
        assert_near(w, 0.0, 0.0);
    }
}

static abut_status set(abut_lcp *lcp, abut_lcp_body body, abut_lcp_row row) {
    abut_lcp_body bodies[2] = {body, body};
    abut_status status = abut_lcp_set_rows(lcp, bodies, 2, &row, 1);
    assert_int_equal(abut_lcp_size(lcp), status == ABUT_OK ? 1 : 0);
    return status;
}

static void test_wrong_arguments(void **state) {
    const abut_lcp_body body = {1.0, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const abut_lcp_row row = abut_lcp_contact_row(0, 1, up, arm, arm);
    abut_lcp_body wrong_body = body;
    abut_lcp_row wrong = row;
    assert_ok(set(*state, body, row));
    const int32_t indices[3][2] = {{-2, 0}, {0, 2}, {1, 1}};
    for (int i = 0; i < 3; i++) {
        wrong.body_a = indices[i][0];
        wrong.body_b = indices[i][1];
        assert_status(set(*state, body, wrong), ABUT_ERROR_INVALID_ARGUMENT);
    }
    double *numbers[4] = {&wrong.linear_a.x, &wrong.angular_a.y, &wrong.linear_b.z, &wrong.angular_b.x};
    for (int i = 0; i < 4; i++) {
        wrong = row;
        *numbers[i] = i % 2 == 0 ? NAN : INFINITY;
        assert_status(set(*state, body, wrong), ABUT_ERROR_NOT_FINITE);
    }
    wrong = row;
    wrong.linear_a.z = 1e200; /* its square overflows */
    assert_status(set(*state, body, wrong), ABUT_ERROR_NOT_FINITE);
    wrong_body.inverse_mass = -1.0;
    assert_status(set(*state, wrong_body, row), ABUT_ERROR_INDEFINITE);
    wrong_body.inverse_mass = NAN;
    assert_status(set(*state, wrong_body, row), ABUT_ERROR_NOT_FINITE);
    wrong_body = body;
    wrong_body.inverse_inertia.x.y = 1e-3;
    assert_status(set(*state, wrong_body, row), ABUT_ERROR_INDEFINITE);
    wrong_body = body;
    wrong_body.inverse_inertia.z.z = -1e-300;
    assert_status(set(*state, wrong_body, row), ABUT_ERROR_INDEFINITE);
    wrong_body = body;
    wrong_body.inverse_inertia.y.z = INFINITY;
    assert_status(set(*state, wrong_body, row), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_lcp_set_rows(NULL, &body, 1, &row, 1), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_lcp_set_rows(*state, NULL, 2, &row, 1), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_lcp_set_rows(*state, &body, 1, NULL, 1), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_lcp_set_rows(*state, &body, -1, &row, 1), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_lcp_set_rows(*state, &body, 1, &row, -1), ABUT_ERROR_INVALID_ARGUMENT);
    assert_ok(set(*state, body, row));
}

/* Each request for memory in turn is refused. */
static void test_no_memory(void **state) {
    (void)state;
    lcp_case c = lcp_case_pyramid(3);
    double z[MOST], w[MOST];
    for (int method = 0; method < 2; method++) {
        counting_allocator memory = {.refuse_at = -1};
        int64_t refused = 0;
        do {
            abut_lcp *lcp = NULL;
            abut_lcp_result result = {.pivots = -7};
            abut_lcp_settings settings = abut_lcp_settings_default();
            settings.method = (abut_lcp_method)method;
            memory = (counting_allocator){.refuse_at = refused++};
            counting_allocator_install(&memory);
            abut_status status = abut_lcp_create(&lcp);
            bool set_failed = false;
            if (status == ABUT_OK) {
                status = abut_lcp_set_rows(lcp, c.bodies, c.body_count, c.rows, c.n);
                set_failed = status != ABUT_OK;
                assert_int_equal(abut_lcp_size(lcp), set_failed ? 0 : c.n);
            }
            if (status == ABUT_OK) {
                z[0] = -7.0;
                status = abut_lcp_solve(lcp, c.q, &settings, z, w, &result);
                if (status != ABUT_OK) {
                    assert_near(z[0], -7.0, 0.0);
                    assert_int_equal(result.pivots, -7);
                }
            }
            assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
            if (set_failed) { /* the next attempt has memory */
                assert_ok(abut_lcp_set_rows(lcp, c.bodies, c.body_count, c.rows, c.n));
                assert_ok(abut_lcp_solve(lcp, c.q, &settings, z, w, &result));
            }
            counting_allocator_remove();
            abut_lcp_destroy(lcp);
            assert_int_equal(memory.live, 0);
        } while (memory.refused);
        assert_true(refused > 10);
    }
    lcp_case_release(&c);
}

int main(void) {
#define SOLVER_TEST(test) cmocka_unit_test_setup_teardown(test, make_solver, destroy_solver)
    const struct CMUnitTest tests[] = {
        SOLVER_TEST(test_entries),       SOLVER_TEST(test_islands),         SOLVER_TEST(test_jammed),
        SOLVER_TEST(test_nothing_moves), SOLVER_TEST(test_wrong_arguments), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
