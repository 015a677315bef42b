/*
 * A cache makes abut_collide() faster and never changes a bit of the result. Tested with no cache, an empty one, that of the previous step,
 * of ten steps before, of another pair, and with garbage: the same status, count and contacts, while pairs of all kinds move.
 */
#include "support/moving.h"

#include <stdio.h>
#include <string.h>

enum { STEPS = 25, STALE = 10, CAPACITY = 1024 };

typedef struct result {
    abut_status status;
    int32_t count;
    abut_contact contacts[CAPACITY];
} result;

static result cold, other;
static abut_cache foreign; /* of whatever pair was asked last but this one */

static void collide(const moving_pair *pair, const abut_collide_settings *settings, abut_cache *cache, int32_t capacity, result *out) {
    out->count = -1;
    out->status =
        abut_collide(&(abut_pair){pair->a, pair->pose_a, pair->b, pair->pose_b}, settings, cache, out->contacts, capacity, &out->count);
}

static void check_equal(tally *t, const char *what, const moving_pair *pair, const abut_collide_settings *settings, abut_cache *cache,
                        int32_t capacity) {
    memset(other.contacts, 0xa5, (size_t)(cold.count < CAPACITY ? cold.count : CAPACITY) * sizeof *other.contacts);
    collide(pair, settings, cache, capacity, &other);
    if (other.status != cold.status || other.count != cold.count) {
        tally_fail(t, what, "%s and %d contacts, without a cache %s and %d", abut_status_name(other.status), (int)other.count,
                   abut_status_name(cold.status), (int)cold.count);
        return;
    }
    int32_t written = cold.count < capacity ? cold.count : capacity;
    if (memcmp(other.contacts, cold.contacts, (size_t)written * sizeof *cold.contacts) != 0) {
        tally_fail(t, what, "%d contacts, not the same bits; gap %.17g, without a cache %.17g", (int)written, other.contacts[0].gap,
                   cold.contacts[0].gap);
    }
}

/* Garbage of ten kinds: random bytes, or all doubles the same special number. */
static abut_cache rubbish(random_state *random, int32_t kind) {
    static const double strange[] = {NAN, INFINITY, -INFINITY, 1e308, -1e308, 5e-324, 1e-300, 1.0, -0.0};
    enum { STRANGE = sizeof strange / sizeof *strange };
    unsigned char bytes[sizeof(abut_cache)];
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (unsigned char)random_next(random);
    }
    if (kind % (STRANGE + 1) < STRANGE) {
        for (size_t i = 0; i + sizeof(double) <= sizeof bytes; i += sizeof(double)) {
            memcpy(bytes + i, &strange[kind % (STRANGE + 1)], sizeof(double));
        }
    }
    abut_cache cache;
    memcpy(&cache, bytes, sizeof cache);
    return cache;
}

/* The cache mainly holds directions: tested with the true normal, its opposite, and others, as if they had separated the pair. */
static abut_cache directed(random_state *random, int32_t kind) {
    abut_vec3 axis = random_direction(random);
    if (kind % 3 < 2 && cold.count > 0) {
        axis = abut_scale(kind % 3 ? -1.0 : 1.0, cold.contacts[0].normal);
    }
    abut_cache cache = {0};
    cache.axis = axis;
    return cache;
}

static abut_collide_settings random_settings(random_state *random) {
    static const double margins[4] = {0.0, 0.0, 0.02, 0.3};
    abut_collide_settings settings = abut_collide_settings_default();
    settings.margin = margins[random_below(random, 4)];
    settings.normal = random_below(random, 2) ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
    settings.contraction = random_below(random, 4) ? ABUT_CONTRACTION_CORE : ABUT_CONTRACTION_CENTROID;
    settings.refine_normal = random_below(random, 4) > 0;
    return settings;
}

/* One moving pair. `follow`: the settings hold the previous normal. */
static void check_sequence(tally *t, random_state *random, int32_t index, int32_t *touching) {
    moving_pair pair = moving_make(random);
    abut_collide_settings settings = random_settings(random);
    bool follow = random_below(random, 2);
    abut_cache empty = {0}, warm = empty, history[STEPS];
    for (int32_t step = 0; step < STEPS; step++) {
        tally_sample(t, "pair %d, %s, step %d, margin %g, policy %d", (int)index, pair.what, (int)step, settings.margin,
                     (int)settings.normal);
        int32_t capacity = step % 5 == 4 ? 2 : CAPACITY;
        collide(&pair, &settings, NULL, capacity, &cold);
        if ((cold.status != ABUT_OK && cold.status != ABUT_ERROR_CAPACITY) || cold.count > CAPACITY) {
            tally_fail(t, "status", "%s, %d contacts", abut_status_name(cold.status), (int)cold.count);
        }
        abut_cache none = {0}, stale = step < STALE ? empty : history[step - STALE], alien = foreign, filled;
        check_equal(t, "no cache, again", &pair, &settings, NULL, capacity);
        check_equal(t, "empty cache", &pair, &settings, &none, capacity);
        check_equal(t, "warm cache", &pair, &settings, &warm, capacity);
        check_equal(t, "stale cache", &pair, &settings, &stale, capacity);
        check_equal(t, "foreign cache", &pair, &settings, &alien, capacity);
        filled = rubbish(random, index + step);
        check_equal(t, "rubbish in the cache", &pair, &settings, &filled, capacity);
        check_equal(t, "what a call made of rubbish", &pair, &settings, &filled, capacity);
        filled = directed(random, index + step);
        check_equal(t, "any direction in the cache", &pair, &settings, &filled, capacity);
        history[step] = warm;
        *touching += cold.count > 0;
        if (follow) {
            settings.previous_normal = cold.count > 0 ? cold.contacts[0].normal : abut_vec3_make(0, 0, 0);
        }
        moving_step(&pair);
    }
    foreign = warm;
    moving_free(&pair);
}

static void any_cache_gives_the_same_bits(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("any_cache_gives_the_same_bits", 301));
    int32_t pairs = random_samples("any_cache_gives_the_same_bits", 10000), touching = 0;
    for (int32_t i = 0; i < pairs; i++) {
        check_sequence(&t, &random, i, &touching);
    }
    printf("any_cache_gives_the_same_bits: %d pairs, %d steps, %d of them in contact\n", (int)pairs, (int)(pairs * STEPS), (int)touching);
    tally_end(&t);
    assert_true(touching > pairs * STEPS / 4 && touching < pairs * STEPS);
}

/* One cache for calls with different margins and policies in turn. */
static void one_cache_for_all_settings(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("one_cache_for_all_settings", 302));
    int32_t pairs = random_samples("one_cache_for_all_settings", 2000);
    for (int32_t i = 0; i < pairs; i++) {
        moving_pair pair = moving_make(&random);
        abut_cache cache = {0};
        for (int32_t step = 0; step < 8; step++) {
            abut_collide_settings settings = random_settings(&random);
            tally_sample(&t, "pair %d, %s, step %d, margin %g, policy %d", (int)i, pair.what, (int)step, settings.margin,
                         (int)settings.normal);
            collide(&pair, &settings, NULL, CAPACITY, &cold);
            check_equal(&t, "cache of other settings", &pair, &settings, &cache, CAPACITY);
            moving_step(&pair);
        }
        moving_free(&pair);
    }
    tally_end(&t);
}

/* Where rounding errors are as large as the bodies are thin, features that seem clear need not be the closest ones. */
static void thin_and_distant_bodies(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("thin_and_distant_bodies", 303));
    const int32_t pairs = random_samples("thin_and_distant_bodies", 20000);
    int32_t touching = 0;
    for (int32_t i = 0; i < pairs; i++) {
        moving_pair pair = moving_thin(&random);
        abut_collide_settings settings = random_settings(&random);
        settings.margin *= pow(10.0, random_range(&random, 0.0, 12.0));
        if (pair.a != NULL && pair.b != NULL) {
            tally_sample(&t, "pair %d", (int)i);
            collide(&pair, &settings, NULL, CAPACITY, &cold);
            abut_cache warm = {0};
            check_equal(&t, "empty cache", &pair, &settings, &warm, CAPACITY);
            check_equal(&t, "warm cache", &pair, &settings, &warm, CAPACITY);
            for (int32_t k = 0; k < 10; k++) {
                abut_cache strange = moving_strange_cache(&random);
                check_equal(&t, "strange cache", &pair, &settings, &strange, CAPACITY);
            }
            touching += cold.count > 0;
        }
        moving_free(&pair);
    }
    printf("thin_and_distant_bodies: %d pairs, %d of them in contact\n", (int)pairs, (int)touching);
    tally_end(&t);
    assert_true(touching > pairs / 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_cache_gives_the_same_bits), cmocka_unit_test(one_cache_for_all_settings),
                                       cmocka_unit_test(thin_and_distant_bodies)};
    return cmocka_run_group_tests_name("narrow/cache", tests, NULL, NULL);
}
