/* Every instruction set gives the same bits, and the kernels agree with the closed forms of one direction. */
#include "tetra/kernel.h"

#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "support/tetra_case.h"
#include "tetra/along.h"

static const char *const names[INSTRUCTION_SETS] = {"scalar", "sse2", "avx2", "avx512"};

/* Compares all bytes except the padding of the structure. */
static bool same(const lanes *a, const lanes *b) {
    return memcmp(a->square, b->square, sizeof a->square) == 0 && memcmp(a->height, b->height, sizeof a->height) == 0 &&
           memcmp(a->span, b->span, sizeof a->span) == 0 && memcmp(a->cost, b->cost, sizeof a->cost) == 0;
}

static void check_against_one(tally *t, const pair *p, const lanes *l, double rounding) {
    for (int i = 0; i < LANES; ++i) {
        for (int sense = 0; sense < LANES_SENSES; ++sense) {
            abut_vec3 normal = abut_unit(lanes_direction(l, (lane_choice){i, sense}));
            if (!(abut_length_squared(lanes_direction(l, (lane_choice){i, sense})) > LANES_LEAST)) {
                if (l->span[sense][i] != INFINITY || l->cost[sense][i] != INFINITY) {
                    tally_fail(t, "no direction", "span %g, cost %g", l->span[sense][i], l->cost[sense][i]);
                }
                continue;
            }
            along at = along_solve(p, normal, NULL);
            if (!(fabs(sqrt(l->cost[sense][i]) - sqrt(at.cost)) <= rounding)) {
                tally_fail(t, "cost", "lane %d: %.17g instead of %.17g", i, l->cost[sense][i], at.cost);
            }
            if (!(fabs(l->span[sense][i] - at.overlap * fabs(at.overlap)) <= 10.0 * rounding * p->size)) {
                tally_fail(t, "span", "lane %d: %.17g instead of %.17g", i, l->span[sense][i], at.overlap * fabs(at.overlap));
            }
        }
    }
}

static void test_levels(void **state) {
    (void)state;
    random_state random = random_make(random_seed("kernel", 31));
    static tally t;
    for (int32_t i = 0, count = random_samples("kernel", 50000); i < count; ++i) {
        tetra_case c = tetra_case_make(&random, (tetra_kind)random_below(&random, TETRA_MIXED));
        abut_depth_settings s = abut_depth_settings_default();
        s.weight_a = random_below(&random, 3) == 0 ? INFINITY : random_log_range(&random, 1e-3, 1e3);
        pair p;
        lanes first, other;
        assert_ok(pair_make(&c.a, &c.b, &s, &p));
        tally_sample(&t, "sample %d, weight %g", (int)i, s.weight_a);
        for (int level = INSTRUCTIONS_SCALAR; level < INSTRUCTION_SETS; ++level) {
            lanes *l = level == INSTRUCTIONS_SCALAR ? &first : &other;
            if (!kernel_use((instruction_set)level)) {
                continue;
            }
            lanes_set_directions(&p, l);
            lanes_measure(&p, l);
            lanes_find_costs(&p, l, true);
            if (level != INSTRUCTIONS_SCALAR && !same(&first, &other)) {
                tally_fail(&t, names[level], "differs");
            }
            lanes some = *l;
            lanes_find_costs(&p, &some, false);
            lane_choice kept = lanes_least((const double(*)[LANES])some.cost), whole = lanes_least((const double(*)[LANES])l->cost);
            if (kept.lane != whole.lane || kept.sense != whole.sense) {
                tally_fail(&t, "least of some", "%s: lane %d instead of %d", names[level], kept.lane, whole.lane);
            }
            lane_choice a = lanes_least((const double(*)[LANES])first.cost), b = lanes_least((const double(*)[LANES])l->cost);
            if (level == INSTRUCTIONS_SCALAR) {
                check_against_one(&t, &p, l, 2e-15 * p.size / sqrt(p.cost[PAIR_B].share));
            } else {
                kernel_use(INSTRUCTIONS_SCALAR);
                a = lanes_least((const double(*)[LANES])first.cost);
                if (a.lane != b.lane || a.sense != b.sense) {
                    tally_fail(&t, "least", "%s: lane %d instead of %d", names[level], b.lane, a.lane);
                }
            }
        }
    }
    tally_end(&t);
}

static void test_least(void **state) {
    (void)state;
    for (int level = INSTRUCTIONS_SCALAR; level < INSTRUCTION_SETS; ++level) {
        if (!kernel_use((instruction_set)level)) {
            printf("%s is not here\n", names[level]);
            continue;
        }
        static double values[LANES_SENSES][LANES];
        for (int i = 0; i < LANES; ++i) {
            values[0][i] = values[1][i] = INFINITY;
        }
        assert_int_equal(lanes_least((const double(*)[LANES])values).lane, -1);
        values[1][43] = 2.0;
        lane_choice c = lanes_least((const double(*)[LANES])values);
        assert_int_equal(c.lane, 43);
        assert_int_equal(c.sense, 1);
        values[0][43] = 2.0;
        values[0][17] = values[0][9] = 2.0;
        c = lanes_least((const double(*)[LANES])values);
        assert_int_equal(c.lane, 9);
        assert_int_equal(c.sense, 0);
        values[1][6] = 2.0 * (1.0 + 1e-14); /* an equally good face */
        c = lanes_least((const double(*)[LANES])values);
        assert_int_equal(c.lane, 6);
        assert_int_equal(c.sense, 1);
        values[0][20] = 1.0;
        assert_int_equal(lanes_least((const double(*)[LANES])values).lane, 20);
    }
    assert_false(kernel_use(INSTRUCTION_SETS));
}

/* Complete answers, in every mode. */
static void test_answers(void **state) {
    (void)state;
    random_state random = random_make(random_seed("answers", 32));
    for (int32_t i = 0, count = random_samples("answers", 20000); i < count; ++i) {
        tetra_case c = tetra_case_make(&random, (tetra_kind)random_below(&random, TETRA_KINDS));
        abut_depth_settings s = abut_depth_settings_default();
        s.mode = (abut_depth_mode)random_below(&random, ABUT_DEPTH_FREE + 1);
        abut_depth first, other;
        memset(&first, 0, sizeof first);
        memset(&other, 0, sizeof other);
        for (int level = INSTRUCTIONS_SCALAR; level < INSTRUCTION_SETS; ++level) {
            if (kernel_use((instruction_set)level)) {
                assert_ok(abut_simplex_depth(&c.a, &c.b, &s, level == INSTRUCTIONS_SCALAR ? &first : &other));
                assert_true(level == INSTRUCTIONS_SCALAR ||
                            (first.depth == other.depth && first.offset == other.offset && first.feature_a == other.feature_a &&
                             memcmp(first.displacement_a, other.displacement_a, sizeof first.displacement_a) == 0 &&
                             memcmp(first.displacement_b, other.displacement_b, sizeof first.displacement_b) == 0));
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_levels), cmocka_unit_test(test_least), cmocka_unit_test(test_answers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
