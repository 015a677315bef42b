/* ABUT_NORMAL_MINIMUM on pairs of hulls of 8, 32, 128 and 1000 vertices, 5,000 pairs each (ABUT_TEST_SAMPLES=full), against all facets of
 * the Minkowski difference. */
#include "support/exact.h"

#include <stdio.h>

/* `places` of A for each pair of rotations, because enumerating the facets is expensive for many vertices. Up to 128 vertices every second
 * hull is made by abut_shape_create_hull(). Symmetries are tested on every tenth sample. */
static void hull_pairs(int32_t vertices, int32_t places, uint64_t seed) {
    char name[40];
    snprintf(name, sizeof name, "hulls_of_%d", (int)vertices);
    random_state random = random_make(random_seed(name, seed));
    int32_t pairs = (random_samples(name, 5000) + places - 1) / places;
    static exact_record record;
    record = (exact_record){0};
    for (int32_t i = 0; i < pairs; i++) {
        exact_body (*make)(solid) = i % 2 && vertices <= 128 ? exact_hull : exact_polytope;
        exact_body a = make(solid_cloud(&random, vertices, random_vec3(&random, 0.35, 0.65)));
        exact_body b = make(solid_cloud(&random, vertices, random_vec3(&random, 0.35, 0.65)));
        exact_pair pair = exact_open_at_random(a, b, &random);
        for (int32_t k = 0; k < places; k++) {
            int32_t kind = (i * places + k) % EXACT_PLACES;
            exact_put(&pair, exact_random_position(&pair, &random, kind));
            tally_sample(&record.failures, "pair %d place %d of %d vertices, separation %.17g", (int)i, (int)kind, (int)vertices,
                         pair.least.separation);
            exact_check(&record, &pair);
            if ((i + k) % 10 == 0) {
                exact_symmetries(&record, &pair, &random);
            }
        }
        exact_close(&pair);
    }
    exact_end(name, &record);
}

static void hulls_of_8(void **state) {
    (void)state;
    hull_pairs(8, 5, 111);
}

static void hulls_of_32(void **state) {
    (void)state;
    hull_pairs(32, 5, 112);
}

static void hulls_of_128(void **state) {
    (void)state;
    hull_pairs(128, 10, 113);
}

static void hulls_of_1000(void **state) {
    (void)state;
    hull_pairs(1000, 50, 114);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hulls_of_8),
        cmocka_unit_test(hulls_of_32),
        cmocka_unit_test(hulls_of_128),
        cmocka_unit_test(hulls_of_1000),
    };
    return cmocka_run_group_tests_name("narrow/normal/minimum_hulls", tests, NULL, NULL);
}
