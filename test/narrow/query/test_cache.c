/*
 * A cache makes abut_distance() and abut_overlap() faster and never changes a bit of the result. Tested with no cache, an empty one, that
 * of the previous step, of ten steps before, of another pair or query, and with garbage, while pairs of all kinds move. And the three
 * queries about one pair agree.
 */
#include "support/moving.h"

#include <stdio.h>
#include <string.h>

#include <abut/query.h>

enum { STEPS = 25, STALE = 10 };

typedef struct answer {
    abut_status status, overlap_status;
    abut_separation separation;
    bool overlap;
} answer;

static answer cold;
static abut_cache foreign;

/* Every byte of the result is written by the call or keeps this value, so that results can be compared as bytes. */
static answer ask(const moving_pair *pair, const abut_collide_settings *settings, abut_cache *cache) {
    answer a;
    memset(&a, 0x5a, sizeof a);
    a.overlap = false;
    a.status = abut_distance(&(abut_pair){pair->a, pair->pose_a, pair->b, pair->pose_b}, settings, cache, &a.separation);
    a.overlap_status = abut_overlap(&(abut_pair){pair->a, pair->pose_a, pair->b, pair->pose_b}, cache, &a.overlap);
    return a;
}

static bool same_bits(const abut_separation *p, const abut_separation *q) {
    return memcmp(&p->gap, &q->gap, sizeof p->gap) == 0 && memcmp(&p->on_a, &q->on_a, sizeof p->on_a) == 0 &&
           memcmp(&p->on_b, &q->on_b, sizeof p->on_b) == 0 && memcmp(&p->normal, &q->normal, sizeof p->normal) == 0 &&
           memcmp(&p->feature_a, &q->feature_a, sizeof p->feature_a) == 0 &&
           memcmp(&p->feature_b, &q->feature_b, sizeof p->feature_b) == 0 && p->flags == q->flags;
}

static void check_equal(tally *t, const char *what, const moving_pair *pair, const abut_collide_settings *settings, abut_cache *cache) {
    answer other = ask(pair, settings, cache);
    if (other.status != cold.status || other.overlap_status != cold.overlap_status || other.overlap != cold.overlap) {
        tally_fail(t, what, "%s, %s, overlap %d; without a cache %s, %s, %d", abut_status_name(other.status),
                   abut_status_name(other.overlap_status), other.overlap, abut_status_name(cold.status),
                   abut_status_name(cold.overlap_status), cold.overlap);
    } else if (cold.status == ABUT_OK && !same_bits(&other.separation, &cold.separation)) {
        tally_fail(t, what, "not the same bits; distance %.17g, without a cache %.17g", other.separation.gap, cold.separation.gap);
    }
}

static abut_cache rubbish(random_state *random, int32_t kind) {
    static const double strange[] = {NAN, INFINITY, -INFINITY, 1e308, 5e-324, 1e-300, 1.0, -0.0};
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

/* abut_overlap() is true exactly when abut_collide() with margin 0 finds a contact, and the distance is its deepest gap then. */
static void check_agreement(tally *t, const moving_pair *pair, const abut_collide_settings *settings, abut_cache *shared) {
    static check_answer contacts;
    abut_collide_settings touching = *settings;
    touching.margin = 0.0;
    abut_status status = abut_collide(&(abut_pair){pair->a, pair->pose_a, pair->b, pair->pose_b}, &touching, shared, contacts.contacts,
                                      CHECK_CAPACITY, &contacts.count);
    double distance = cold.separation.gap, deepest = check_deepest(&contacts);
    if (status != ABUT_OK || cold.status != ABUT_OK || cold.overlap_status != ABUT_OK) {
        tally_fail(t, "status", "%s, %s, %s", abut_status_name(status), abut_status_name(cold.status),
                   abut_status_name(cold.overlap_status));
    } else if (cold.overlap != (contacts.count > 0)) {
        tally_fail(t, "overlap and contacts disagree", "overlap %d, %d contacts, distance %.17g", cold.overlap, (int)contacts.count,
                   distance);
    } else if (contacts.count > 0 && !(fabs(distance - deepest) <= 1e-9 * fabs(deepest) + 1e-12)) {
        tally_fail(t, "distance is not the deepest gap", "%.17g, deepest %.17g", distance, deepest);
    } else if (contacts.count == 0 && !(distance > -1e-12)) {
        tally_fail(t, "distance below zero without a contact", "%.17g", distance);
    }
}

static abut_collide_settings random_settings(random_state *random) {
    abut_collide_settings settings = abut_collide_settings_default();
    settings.normal = random_below(random, 2) ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
    settings.margin = random_below(random, 2) ? 0.0 : 0.1; /* plays no part */
    return settings;
}

static void check_sequence(tally *t, random_state *random, int32_t index, int32_t *overlaps) {
    moving_pair pair = moving_make(random);
    abut_collide_settings settings = random_settings(random);
    bool follow = random_below(random, 2);
    abut_cache empty = {0}, warm = empty, shared = empty, history[STEPS];
    for (int32_t step = 0; step < STEPS; step++) {
        tally_sample(t, "pair %d, %s, step %d, policy %d", (int)index, pair.what, (int)step, (int)settings.normal);
        cold = ask(&pair, &settings, NULL);
        abut_cache none = {0}, stale = step < STALE ? empty : history[step - STALE], alien = foreign, filled;
        check_equal(t, "empty cache", &pair, &settings, &none);
        check_equal(t, "warm cache", &pair, &settings, &warm);
        check_equal(t, "stale cache", &pair, &settings, &stale);
        check_equal(t, "foreign cache", &pair, &settings, &alien);
        check_equal(t, "cache shared with abut_collide()", &pair, &settings, &shared);
        filled = rubbish(random, index + step);
        check_equal(t, "rubbish in the cache", &pair, &settings, &filled);
        check_agreement(t, &pair, &settings, &shared);
        history[step] = warm;
        *overlaps += cold.overlap;
        if (follow) {
            settings.previous_normal = cold.separation.normal;
        }
        moving_step(&pair);
    }
    foreign = warm;
    moving_free(&pair);
}

static void any_cache_gives_the_same_bits(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("any_cache_gives_the_same_bits", 311));
    int32_t pairs = random_samples("any_cache_gives_the_same_bits", 10000), overlaps = 0;
    for (int32_t i = 0; i < pairs; i++) {
        check_sequence(&t, &random, i, &overlaps);
    }
    printf("any_cache_gives_the_same_bits: %d pairs, %d steps, %d of them overlapping\n", (int)pairs, (int)(pairs * STEPS), (int)overlaps);
    tally_end(&t);
    assert_true(overlaps > pairs * STEPS / 5 && overlaps < pairs * STEPS);
}

/* A disc so thin that the search cannot tell both ends of an upright edge apart and names the edge. A cache with one of the ends must not
 * be accepted, although that end is clearly higher along the direction to the other disc. */
static void disc_thinner_than_rounding(void **state) {
    (void)state;
    abut_shape *disc;
    assert_ok(abut_shape_create_prism(5.75, 1e-14, 12, &disc));
    const abut_pose pose_a = {.position = {4.75, 4.75, 0}, .rotation = {0, 0.65439476080237613, 0.37886012467505986, 0.65439476080237613}};
    const abut_pose pose_b = abut_pose_identity();
    abut_separation without;
    assert_ok(abut_distance(&(abut_pair){disc, pose_a, disc, pose_b}, NULL, NULL, &without));
    for (int32_t vertex = 0; vertex < 24; vertex++) {
        abut_cache cache = {.feature_a = {.kind = ABUT_FEATURE_FACE, .index = 0}};
        cache.feature_b = (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = vertex};
        abut_separation with;
        assert_ok(abut_distance(&(abut_pair){disc, pose_a, disc, pose_b}, NULL, &cache, &with));
        assert_true(same_bits(&with, &without));
    }
    abut_shape_release(disc);
}

/* Where rounding errors are as large as the bodies are thin, features that seem clear need not be the closest ones. */
static void thin_and_distant_bodies(void **state) {
    (void)state;
    static tally t;
    random_state random = random_make(random_seed("thin_and_distant_bodies", 5119));
    const int32_t pairs = random_samples("thin_and_distant_bodies", 20000);
    int32_t apart = 0;
    for (int32_t i = 0; i < pairs; i++) {
        moving_pair pair = moving_thin(&random);
        if (pair.a != NULL && pair.b != NULL) {
            tally_sample(&t, "pair %d", (int)i);
            cold = ask(&pair, NULL, NULL);
            abut_cache warm = {0};
            check_equal(&t, "empty cache", &pair, NULL, &warm);
            check_equal(&t, "warm cache", &pair, NULL, &warm);
            for (int32_t k = 0; k < 10; k++) {
                abut_cache strange = moving_strange_cache(&random);
                check_equal(&t, "strange cache", &pair, NULL, &strange);
            }
            apart += cold.status == ABUT_OK && cold.separation.gap > 0.0;
        }
        moving_free(&pair);
    }
    printf("thin_and_distant_bodies: %d pairs, %d of them apart\n", (int)pairs, (int)apart);
    tally_end(&t);
    assert_true(apart > pairs / 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_cache_gives_the_same_bits), cmocka_unit_test(disc_thinner_than_rounding),
                                       cmocka_unit_test(thin_and_distant_bodies)};
    return cmocka_run_group_tests_name("narrow/cache_query", tests, NULL, NULL);
}
