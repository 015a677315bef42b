/* Batches give the results of single calls, to the last bit, on any number of threads. An error of a pair is reported for that pair. */
#include <abut/tetra.h>

#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/tetra_case.h"
#include "support/threads.h"

enum { PAIRS = 3000 };

static abut_simplex a[PAIRS], b[PAIRS];
static abut_depth single[PAIRS], together[PAIRS];

static void make_pairs(uint64_t seed) {
    random_state random = random_make(random_seed("batch", seed));
    for (int32_t i = 0; i < PAIRS; ++i) {
        tetra_case c = tetra_case_make(&random, (tetra_kind)random_below(&random, TETRA_KINDS));
        a[i] = c.a;
        b[i] = c.b;
    }
    a[17].vertex[0].x = NAN;
    b[18].count = 9;
}

static void test_same_bits(void **state) {
    (void)state;
    make_pairs(41);
    three_threads own;
    const abut_parallel loops[] = {{.threads = 1}, {.threads = 0}, {.threads = 2}, three_threads_parallel(&own)};
    for (int mode = 0; mode <= ABUT_DEPTH_FREE; ++mode) {
        abut_depth_settings s = abut_depth_settings_default();
        s.mode = (abut_depth_mode)mode;
        memset(single, 0, sizeof single);
        for (int32_t i = 0; i < PAIRS; ++i) {
            abut_status status = abut_simplex_depth(&a[i], &b[i], &s, &single[i]);
            if (status != ABUT_OK) {
                memset(&single[i], 0, sizeof single[i]);
                single[i].status = status;
            }
        }
        assert_status(single[17].status, ABUT_ERROR_NOT_FINITE);
        assert_status(single[18].status, ABUT_ERROR_INVALID_ARGUMENT);
        for (size_t k = 0; k < sizeof loops / sizeof *loops; ++k) {
            memset(together, 0, sizeof together);
            assert_ok(abut_simplex_depth_batch(a, b, PAIRS, &s, &loops[k], together));
            assert_memory_equal(together, single, sizeof single);
        }
    }
}

static void test_refusals(void **state) {
    (void)state;
    abut_depth_settings s = abut_depth_settings_default();
    assert_ok(abut_simplex_depth_batch(NULL, NULL, 0, NULL, NULL, NULL));
    assert_status(abut_simplex_depth_batch(NULL, b, 1, NULL, NULL, together), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_simplex_depth_batch(a, b, 1, NULL, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_simplex_depth_batch(a, b, -1, NULL, NULL, together), ABUT_ERROR_INVALID_ARGUMENT);
    s.weight_a = -1.0;
    assert_status(abut_simplex_depth_batch(a, b, 1, &s, NULL, together), ABUT_ERROR_INVALID_ARGUMENT);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits), cmocka_unit_test(test_refusals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
