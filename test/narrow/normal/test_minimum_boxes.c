/* ABUT_NORMAL_MINIMUM on pairs of boxes: 20,000 pairs (ABUT_TEST_SAMPLES=full) against all facets of the Minkowski difference. */
#include "support/exact.h"

/* Every fourth box is slender. */
static abut_vec3 half_sizes(random_state *random) {
    if (random_below(random, 4) > 0) {
        return random_vec3(random, 0.35, 0.65);
    }
    double x = random_log_range(random, 0.02, 0.65), y = random_log_range(random, 0.02, 0.65), z = random_log_range(random, 0.02, 0.65);
    return abut_vec3_make(x, y, z);
}

/* Symmetries are tested on every tenth pair. */
static void box_pairs(void **state) {
    (void)state;
    enum { PLACES = 5 };
    random_state random = random_make(random_seed("box_pairs", 101));
    int32_t pairs = random_samples("box_pairs", 20000) / PLACES;
    static exact_record record;
    for (int32_t i = 0; i < pairs; i++) {
        abut_vec3 p = half_sizes(&random), q = half_sizes(&random);
        exact_pair pair = exact_open_at_random(exact_box(p), exact_box(q), &random);
        for (int32_t k = 0; k < PLACES; k++) {
            int32_t kind = (i * PLACES + k) % EXACT_PLACES;
            exact_put(&pair, exact_random_position(&pair, &random, kind));
            tally_sample(&record.failures, "pair %d place %d: halves (%.17g, %.17g, %.17g) (%.17g, %.17g, %.17g), separation %.17g", (int)i,
                         (int)kind, p.x, p.y, p.z, q.x, q.y, q.z, pair.least.separation);
            exact_check(&record, &pair);
            if ((i + k) % 10 == 0) {
                exact_symmetries(&record, &pair, &random);
            }
        }
        exact_close(&pair);
    }
    exact_end("box_pairs", &record);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(box_pairs)};
    return cmocka_run_group_tests_name("narrow/normal/minimum_boxes", tests, NULL, NULL);
}
