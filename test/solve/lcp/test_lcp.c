/* abut_lcp_solve(): closed forms, physics with known forces, and an oracle that tries every set of rows. A start, inactive rows, a magnitude and an earlier
 * factor must not change an answer. */
#include "support/check.h"
#include "support/lcp_case.h"

#include <math.h>
#include <string.h>

enum { MOST = 64 };

static const double gravity = 9.81;

/* The solver, made and released around every test. */
static int make_solver(void **state) { return abut_lcp_create((abut_lcp **)state) == ABUT_OK ? 0 : -1; }

static int destroy_solver(void **state) {
    abut_lcp_destroy(*state);
    return 0;
}

static abut_lcp_settings settings_of(abut_lcp_method method) {
    abut_lcp_settings settings = abut_lcp_settings_default();
    settings.method = method;
    return settings;
}

static void test_one_row(void **state) {
    const double a = 2.0, pressed = -4.0, parting = 1.0;
    double z, w;
    abut_lcp_result result;
    assert_ok(abut_lcp_set_matrix(*state, 1, &a));
    assert_int_equal(abut_lcp_size(*state), 1);
    for (int method = 0; method < 2; method++) {
        abut_lcp_settings settings = settings_of((abut_lcp_method)method);
        assert_ok(abut_lcp_solve(*state, &pressed, &settings, &z, &w, &result));
        assert_near(z, 2.0, 1e-15);
        assert_near(w, 0.0, 2e-15);
        assert_int_equal(result.pressing, 1);
        assert_int_equal(result.islands, 1);
        assert_ok(abut_lcp_solve(*state, &parting, &settings, &z, &w, &result));
        assert_near(z, 0.0, 0.0);
        assert_near(w, 1.0, 0.0);
        assert_int_equal(result.pressing, 0);
        assert_int_equal(result.pivots, 0);
    }
}

static void test_two_rows(void **state) {
    const double a[4] = {2.0, 1.0, 1.0, 2.0};
    /* both press; only the second presses; only the first presses and pushes the second away; none presses */
    const double q[4][2] = {{-5.0, -6.0}, {3.0, -2.0}, {-4.0, -1.0}, {1.0, 0.0}};
    const double z_expected[4][2] = {{4.0 / 3.0, 7.0 / 3.0}, {0.0, 1.0}, {2.0, 0.0}, {0.0, 0.0}};
    const double w_expected[4][2] = {{0.0, 0.0}, {4.0, 0.0}, {0.0, 1.0}, {1.0, 0.0}};
    assert_ok(abut_lcp_set_matrix(*state, 2, a));
    for (int method = 0; method < 2; method++) {
        abut_lcp_settings settings = settings_of((abut_lcp_method)method);
        for (int i = 0; i < 4; i++) {
            double z[2], w[2];
            assert_ok(abut_lcp_solve(*state, q[i], &settings, z, w, NULL));
            for (int k = 0; k < 2; k++) {
                assert_near(z[k], z_expected[i][k], 1e-15);
                assert_near(w[k], w_expected[i][k], 1e-15);
            }
        }
    }
}

static void test_nothing(void **state) {
    abut_lcp_result result;
    assert_int_equal(abut_lcp_size(*state), 0);
    assert_ok(abut_lcp_solve(*state, NULL, NULL, NULL, NULL, &result));
    assert_int_equal(result.islands, 0);
    assert_near(result.residual, 0.0, 0.0);
    assert_ok(abut_lcp_set_matrix(*state, 0, NULL));
    assert_ok(abut_lcp_set_rows(*state, NULL, 0, NULL, 0));
    assert_ok(abut_lcp_solve(*state, NULL, NULL, NULL, NULL, NULL));
}

/* The lowest ball carries all others. */
static void test_stack_of_balls(void **state) {
    enum { BALLS = 200 };
    lcp_case c = lcp_case_balls(BALLS);
    double z[BALLS], w[BALLS];
    assert_ok(abut_lcp_set_rows(*state, c.bodies, c.body_count, c.rows, c.n));
    for (int method = 0; method < 2; method++) {
        abut_lcp_settings settings = settings_of((abut_lcp_method)method);
        assert_ok(abut_lcp_solve(*state, c.q, &settings, z, w, NULL));
        for (int i = 0; i < BALLS; i++) {
            assert_near(z[i], (BALLS - i) * gravity, 1e-9 * gravity);
            assert_near(w[i], 0.0, 1e-12 * gravity);
        }
    }
    lcp_case_release(&c);
}

static abut_lcp_body ball(double mass) {
    double i = 1.0 / (0.4 * mass);
    return (abut_lcp_body){1.0 / mass, {{i, 0, 0}, {0, i, 0}, {0, 0, i}}};
}

/* A ball on two touching balls: floor forces 10/7 m g, upper forces 2 sqrt(3)/7 m g, none between the lower balls, which are driven apart. */
static void test_pyramid_of_three_balls(void **state) {
    const double s = sqrt(3.0) / 2.0;
    const abut_lcp_body bodies[3] = {ball(1.0), ball(1.0), ball(1.0)};
    const abut_vec3 up = {0, 0, 1}, right = {0.5, 0, s}, left = {-0.5, 0, s}, along = {1, 0, 0};
    const abut_lcp_row rows[5] = {
        abut_lcp_contact_row(0, -1, up, abut_neg(up), up),         abut_lcp_contact_row(1, -1, up, abut_neg(up), up),
        abut_lcp_contact_row(2, 0, right, abut_neg(right), right), abut_lcp_contact_row(2, 1, left, abut_neg(left), left),
        abut_lcp_contact_row(1, 0, along, abut_neg(along), along),
    };
    const double q[5] = {-gravity, -gravity, 0.0, 0.0, 0.0};
    assert_ok(abut_lcp_set_rows(*state, bodies, 3, rows, 5));
    for (int method = 0; method < 2; method++) {
        abut_lcp_settings settings = settings_of((abut_lcp_method)method);
        double z[5], w[5];
        abut_lcp_result result;
        assert_ok(abut_lcp_solve(*state, q, &settings, z, w, &result));
        for (int i = 0; i < 2; i++) {
            assert_near(z[i], 10.0 / 7.0 * gravity, 1e-13);
            assert_near(z[2 + i], 2.0 * sqrt(3.0) / 7.0 * gravity, 1e-13);
        }
        assert_near(z[4], 0.0, 0.0);
        assert_near(w[4], 2.0 * sqrt(3.0) / 7.0 * gravity, 1e-13);
        assert_int_equal(result.pressing, 4);
    }
}

/* A box of half size 1 and mass 2 on four points at x[i], y = +-1. */
static void box_on(abut_lcp *lcp, const double x[4], double z[4], double w[4]) {
    const double i = 1.0 / (2.0 * 2.0 / 3.0);
    const abut_lcp_body box = {0.5, {{i, 0, 0}, {0, i, 0}, {0, 0, i}}};
    const double q[4] = {-gravity, -gravity, -gravity, -gravity};
    abut_lcp_row rows[4];
    for (int k = 0; k < 4; k++) {
        abut_vec3 arm = {x[k], k % 2 == 0 ? -1.0 : 1.0, -1.0};
        rows[k] = abut_lcp_contact_row(0, -1, abut_vec3_make(0, 0, 1), arm, arm);
    }
    assert_ok(abut_lcp_set_rows(lcp, &box, 1, rows, 4));
    assert_ok(abut_lcp_solve(lcp, q, NULL, z, w, NULL));
}

static void test_box(void **state) {
    const double weight = 2.0 * gravity;
    double z[4], w[4];
    const double corners[4] = {-1.0, -1.0, 1.0, 1.0}, near_middle[4] = {-1.0, -1.0, 0.2, 0.2}, beyond[4] = {-1.0, -1.0, -0.2, -0.2};
    box_on(*state, corners, z, w);
    assert_near(z[0] + z[1] + z[2] + z[3], weight, 1e-13);
    assert_near(z[0] + z[1], z[2] + z[3], 1e-13);
    assert_near(z[0] + z[2], z[1] + z[3], 1e-13);
    box_on(*state, near_middle, z, w);
    assert_near(z[0] + z[1], weight / 6.0, 1e-13);
    assert_near(z[2] + z[3], weight * 5.0 / 6.0, 1e-13);
    /* It tips over the right pair of points, and the left pair opens. */
    box_on(*state, beyond, z, w);
    for (int k = 0; k < 2; k++) {
        assert_near(z[k], 0.0, 0.0);
        assert_near(w[k], 2.221132075, 1e-9);
        assert_near(w[2 + k], 0.0, 1e-14);
    }
    assert_near(z[2] + z[3], weight / 1.06, 1e-13);
}

/* A ball hits two balls at rest, and all contacts are fully elastic: in a simultaneous impact it flies back with a third of its speed. */
static void test_impulses_of_three_balls(void **state) {
    const abut_lcp_body bodies[3] = {ball(1.0), ball(1.0), ball(1.0)};
    const abut_vec3 back = {-1, 0, 0};
    const abut_lcp_row rows[2] = {abut_lcp_contact_row(0, 1, back, abut_neg(back), back),
                                  abut_lcp_contact_row(1, 2, back, abut_neg(back), back)};
    const double q[2] = {-2.0, 0.0}; /* (1 + restitution) times the speed of approach */
    double z[2], w[2];
    assert_ok(abut_lcp_set_rows(*state, bodies, 3, rows, 2));
    assert_ok(abut_lcp_solve(*state, q, NULL, z, w, NULL));
    assert_near(1.0 - z[0], -1.0 / 3.0, 1e-15);
    assert_near(z[0] - z[1], 2.0 / 3.0, 1e-15);
    assert_near(z[1], 2.0 / 3.0, 1e-15);
}

/* Small problems of any rank, with and without a solution, compared with every set of rows. */
static void test_against_every_set(void **state) {
    tally t = {0};
    random_state random = random_make(random_seed("every set", 1));
    int32_t samples = random_samples("every set", 4000), solved = 0, compared = 0, undecided = 0;
    for (int32_t i = 0; i < samples; i++) {
        int32_t n = 1 + random_below(&random, 8), rank = 1 + random_below(&random, n + 1);
        bool inside = random_below(&random, 2) == 0;
        lcp_case c = lcp_case_random(&random, n, rank, inside ? 0.0 : 0.5);
        double z[8], w[8], expected[8], least;
        bool solvable = lcp_case_enumerate(&c, expected);
        tally_sample(&t, "sample %d, n %d, rank %d", (int)i, (int)n, (int)rank);
        assert_ok(abut_lcp_set_matrix(*state, n, c.matrix));
        for (int method = 0; method < 2; method++) {
            abut_lcp_settings settings = settings_of((abut_lcp_method)method);
            abut_lcp_result result = {0};
            abut_status status = abut_lcp_solve(*state, c.q, &settings, z, w, &result);
            /* The oracle skips sets that are nearly singular. A solution that it does not find may still exist; the solver's answer is then checked
             * directly. Such a solution may be huge. */
            bool found = status == ABUT_OK && lcp_case_residual(&c, z, &least) <= 1.001e-9 && least >= 0.0;
            if (!found && (status == ABUT_OK || solvable || (status != ABUT_ERROR_INFEASIBLE && status != ABUT_ERROR_ITERATION_LIMIT))) {
                tally_fail(&t, "status", "method %d: %s, solvable %d", method, abut_status_name(status), solvable);
            }
            undecided += status == ABUT_ERROR_ITERATION_LIMIT;
            if (status == ABUT_ERROR_INFEASIBLE && !lcp_case_is_proof(&c, z)) {
                tally_fail(&t, "proof", "method %d", method);
            }
            if (inside && status != ABUT_OK) {
                tally_fail(&t, "status where there must be a solution", "method %d: %s", method, abut_status_name(status));
            }
            /* In the worst case the error of w is the square root of the residual. */
            bool exact = status == ABUT_OK && solvable && result.residual <= 1e-13;
            solved += status == ABUT_OK;
            compared += exact;
            for (int32_t k = 0; k < n && exact; k++) {
                double size = sqrt(c.matrix[k * n + k]) * 10.0 + fabs(expected[k]);
                if (!(fabs(w[k] - expected[k]) <= 1e-8 * size)) {
                    tally_fail(&t, "w", "method %d, row %d: %.17g, not %.17g", method, (int)k, w[k], expected[k]);
                }
            }
        }
        lcp_case_release(&c);
    }
    tally_end(&t);
    assert_true(compared > 0.97 * solved);
    assert_true(undecided <= 0.001 * samples);
}

/* The problem stays the same when rows of A and q, and columns of A, are in other units. */
static void test_units_do_not_matter(void **state) {
    random_state random = random_make(random_seed("units", 2));
    for (int round = 0; round < 100; round++) {
        lcp_case c = lcp_case_heap(&random, 6, 3);
        double z[MOST], w[MOST], z_scaled[MOST], w_scaled[MOST], s[MOST];
        abut_lcp_result result, scaled;
        assert_ok(abut_lcp_set_matrix(*state, c.n, c.matrix));
        assert_ok(abut_lcp_solve(*state, c.q, NULL, z, w, &result));
        for (int32_t i = 0; i < c.n; i++) {
            s[i] = ldexp(1.0, random_below(&random, 61) - 30);
            c.q[i] *= s[i];
        }
        for (int32_t i = 0; i < c.n * c.n; i++) {
            c.matrix[i] *= s[i / c.n] * s[i % c.n];
        }
        assert_ok(abut_lcp_set_matrix(*state, c.n, c.matrix));
        assert_ok(abut_lcp_solve(*state, c.q, NULL, z_scaled, w_scaled, &scaled));
        assert_int_equal(scaled.pivots, result.pivots);
        assert_near(scaled.residual, result.residual, 0.0);
        for (int32_t i = 0; i < c.n; i++) {
            assert_near(z_scaled[i] * s[i], z[i], 0.0);
            assert_near(w_scaled[i] / s[i], w[i], 0.0);
        }
        lcp_case_release(&c);
    }
}

/* Bodies that fall together touch with q = 0 within rounding error. For redundant contacts these rounding errors contradict each other. */
static void test_rounding_is_no_acceleration(void **state) {
    const abut_lcp_body body = ball(1.0);
    const abut_vec3 up = {0, 0, 1}, down = {0, 0, -1}, none = {0, 0, 0};
    const abut_lcp_row rows[2] = {abut_lcp_contact_row(0, -1, up, none, none), abut_lcp_contact_row(0, -1, down, none, none)};
    const double q[2] = {-2e-15, 1e-15};
    double z[2] = {7.0, 7.0}, w[2];
    abut_lcp_settings settings = abut_lcp_settings_default();
    assert_ok(abut_lcp_set_rows(*state, &body, 1, rows, 2));
    assert_status(abut_lcp_solve(*state, q, &settings, z, w, NULL), ABUT_ERROR_INFEASIBLE);
    settings.magnitude = gravity;
    assert_ok(abut_lcp_solve(*state, q, &settings, z, w, NULL));
    assert_near(z[0], 0.0, 0.0);
    assert_near(z[1], 0.0, 0.0);
}

static void test_rows_left_out(void **state) {
    lcp_case c = lcp_case_balls(10);
    bool out[10] = {false};
    double z[10], w[10];
    abut_lcp_settings settings = abut_lcp_settings_default();
    assert_ok(abut_lcp_set_rows(*state, c.bodies, c.body_count, c.rows, c.n));
    settings.left_out = out;
    out[6] = true;
    for (int method = 0; method < 2; method++) {
        settings.method = (abut_lcp_method)method;
        assert_ok(abut_lcp_solve(*state, c.q, &settings, z, w, NULL));
        for (int i = 0; i < 10; i++) {
            assert_near(z[i], i < 6 ? (6 - i) * gravity : 0.0, 1e-12);
            assert_near(w[i], i == 6 ? -gravity : 0.0, 1e-12); /* the upper four bodies fall */
        }
    }
    memset(out, true, sizeof out);
    assert_ok(abut_lcp_solve(*state, c.q, &settings, z, w, NULL));
    assert_near(w[0], -gravity, 0.0);
    lcp_case_release(&c);
}

/* Rows found by the search and rows given as a start, with a kept factor and with a new one, give the same bits. */
static void test_start_and_factor_change_no_bit(void **state) {
    random_state random = random_make(random_seed("start", 3));
    for (int round = 0; round < 200; round++) {
        lcp_case c = round % 4 == 0 ? lcp_case_pyramid(3) : lcp_case_heap(&random, 8, 4);
        double z[MOST], w[MOST], z_warm[MOST], w_warm[MOST], junk[MOST];
        abut_lcp_result cold, warm;
        abut_lcp_settings settings = abut_lcp_settings_default();
        assert_ok(abut_lcp_set_rows(*state, c.bodies, c.body_count, c.rows, c.n));
        assert_ok(abut_lcp_solve(*state, c.q, NULL, z, w, &cold));
        assert_true(cold.factorised > 0);
        settings.start = z;
        assert_ok(abut_lcp_solve(*state, c.q, &settings, z_warm, w_warm, &warm));
        assert_int_equal(warm.factorised, 0);
        assert_int_equal(warm.pivots, 0);
        assert_int_equal(warm.restarts, 0);
        assert_memory_equal(z_warm, z, (size_t)c.n * sizeof *z);
        assert_memory_equal(w_warm, w, (size_t)c.n * sizeof *w);
        /* any start leads to a solution; w is unique */
        for (int32_t i = 0; i < c.n; i++) {
            junk[i] = random_below(&random, 2) == 0 ? NAN : random_range(&random, -1.0, 1.0);
        }
        settings.start = junk;
        assert_ok(abut_lcp_solve(*state, c.q, &settings, z_warm, w_warm, NULL));
        for (int32_t i = 0; i < c.n; i++) {
            assert_near(w_warm[i], w[i], 1e-8);
        }
        /* after all of this, again without a start; and with a new solver */
        assert_ok(abut_lcp_solve(*state, c.q, NULL, z_warm, w_warm, NULL));
        assert_memory_equal(z_warm, z, (size_t)c.n * sizeof *z);
        abut_lcp *other;
        assert_ok(abut_lcp_create(&other));
        assert_ok(abut_lcp_set_rows(other, c.bodies, c.body_count, c.rows, c.n));
        settings.start = z;
        assert_ok(abut_lcp_solve(other, c.q, &settings, z_warm, w_warm, &warm));
        assert_true(warm.factorised > 0);
        assert_memory_equal(z_warm, z, (size_t)c.n * sizeof *z);
        assert_memory_equal(w_warm, w, (size_t)c.n * sizeof *w);
        abut_lcp_destroy(other);
        lcp_case_release(&c);
    }
}

/* If the matrix changes in one island, the factors of the others are kept. If it changes in the last row, most of its island's factor is kept. */
static void test_what_holds_is_kept(void **state) {
    enum { N = 12 };
    double a[N * N] = {0.0}, q[N], z[N], z_again[N];
    for (int i = 0; i < N; i++) {
        q[i] = -1.0;
        for (int j = 0; j < N; j++) {
            a[i * N + j] = i / 6 != j / 6 ? 0.0 : i == j ? 4.0 : 0.25; /* two islands of six */
        }
    }
    abut_lcp_result result;
    abut_lcp_settings settings = abut_lcp_settings_default();
    settings.start = z;
    assert_ok(abut_lcp_set_matrix(*state, N, a));
    assert_ok(abut_lcp_solve(*state, q, NULL, z, NULL, &result));
    assert_int_equal(result.islands, 2);
    assert_int_equal(result.factorised, N);
    assert_ok(abut_lcp_set_matrix(*state, N, a));
    assert_ok(abut_lcp_solve(*state, q, &settings, z, NULL, &result));
    assert_int_equal(result.factorised, 0);
    a[4 * N + 4] = 5.0; /* the fifth row of the first island */
    assert_ok(abut_lcp_set_matrix(*state, N, a));
    assert_ok(abut_lcp_solve(*state, q, &settings, z, NULL, &result));
    assert_int_equal(result.factorised, 2);
    abut_lcp *other;
    assert_ok(abut_lcp_create(&other));
    assert_ok(abut_lcp_set_matrix(other, N, a));
    assert_ok(abut_lcp_solve(other, q, NULL, z_again, NULL, NULL));
    assert_memory_equal(z_again, z, sizeof z);
    abut_lcp_destroy(other);
}

/* The mass of each ball is 10 times that of the ball below, so a weight of a million rests on 1. Beyond 10^7 the documented bound is reached. */
static void test_heavy_on_light(void **state) {
    lcp_case c = lcp_case_balls(7);
    double mass = 1.0, weight[7], z[7], carried = 0.0;
    for (int i = 0; i < 7; i++) {
        c.bodies[i] = ball(mass);
        weight[i] = mass * gravity;
        mass *= 10.0;
    }
    assert_ok(abut_lcp_set_rows(*state, c.bodies, c.body_count, c.rows, c.n));
    assert_ok(abut_lcp_solve(*state, c.q, NULL, z, NULL, NULL));
    for (int i = 6; i >= 0; i--) {
        carried += weight[i];
        assert_near(z[i], carried, 1e-9 * carried);
    }
    lcp_case_release(&c);
}

int main(void) {
#define SOLVER_TEST(test) cmocka_unit_test_setup_teardown(test, make_solver, destroy_solver)
    const struct CMUnitTest tests[] = {
        SOLVER_TEST(test_one_row),
        SOLVER_TEST(test_two_rows),
        SOLVER_TEST(test_nothing),
        SOLVER_TEST(test_stack_of_balls),
        SOLVER_TEST(test_pyramid_of_three_balls),
        SOLVER_TEST(test_box),
        SOLVER_TEST(test_impulses_of_three_balls),
        SOLVER_TEST(test_against_every_set),
        SOLVER_TEST(test_units_do_not_matter),
        SOLVER_TEST(test_rounding_is_no_acceleration),
        SOLVER_TEST(test_rows_left_out),
        SOLVER_TEST(test_start_and_factor_change_no_bit),
        SOLVER_TEST(test_what_holds_is_kept),
        SOLVER_TEST(test_heavy_on_light),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
