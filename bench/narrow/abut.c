/* abut's own engines: abut_collide() with its default normal, which is that of least depth, and with the growth normal, and abut_distance(). Each runs without
 * and with a cache for each pair; contacts also for bodies placed before, one pair at a time and in batches. */
#include <stdlib.h>

#include <abut/abut.h>

#include "engines.h"
#include "support/check.h"

enum { most_contacts = 64, batch_pairs = 1000 };

typedef struct state {
    const input_set *set;
    abut_shape **shapes; /* [2 pairs] */
    abut_collide_settings chosen;
    const abut_collide_settings *settings; /* `chosen`, or NULL for the defaults */
    abut_cache *caches;                    /* [pairs]; NULL without caches */
    abut_placed *placed;                   /* [2 questions], A and B of each; NULL where poses are given */
    abut_placed_pair *pairs;               /* [questions] */
    abut_pair_result *results;             /* [batch_pairs] of the batch of the last question */
    abut_contact *packed;                  /* [batch_pairs * most_contacts] */
    const abut_contact *found;             /* those of the last question */
    abut_contact contacts[most_contacts];
    abut_separation separation;
} state;

static abut_shape *make_shape(const body *b) {
    abut_shape *shape = NULL;
    switch (b->kind) {
    case BODY_BOX:
        assert_ok(abut_shape_create_box(b->half, &shape));
        break;
    case BODY_HULL:
        shape = solid_shape(&b->surface);
        break;
    case BODY_SPHERE:
        assert_ok(abut_shape_create_sphere(b->radius, &shape));
        break;
    case BODY_CAPSULE:
        assert_ok(abut_shape_create_capsule(b->radius, b->half_length, &shape));
        break;
    }
    return shape;
}

static state *prepare(const input_set *set, bool cached) {
    state *s = check_memory(1, sizeof *s);
    s->set = set;
    s->shapes = check_memory(2 * (size_t)set->pairs, sizeof *s->shapes);
    for (int32_t i = 0; i < 2 * set->pairs; i++) {
        s->shapes[i] = make_shape(&set->bodies[i]);
    }
    s->caches = cached ? check_memory((size_t)set->pairs, sizeof *s->caches) : NULL;
    return s;
}

static void *prepare_cold(const input_set *set) { return prepare(set, false); }

static void *prepare_cached(const input_set *set) { return prepare(set, true); }

static void *choose_growth(state *s) {
    s->chosen = abut_collide_settings_default();
    s->chosen.normal = ABUT_NORMAL_GROWTH;
    s->settings = &s->chosen;
    return s;
}

static void *prepare_growth_cold(const input_set *set) { return choose_growth(prepare(set, false)); }

static void *prepare_growth_cached(const input_set *set) { return choose_growth(prepare(set, true)); }

static void *prepare_placed(const input_set *set) {
    state *s = prepare(set, false);
    size_t questions = (size_t)inputs_questions(set);
    s->placed = check_memory(2 * questions, sizeof *s->placed);
    for (int32_t i = 0; i < inputs_questions(set); i++) {
        const question *q = &set->questions[i];
        int32_t pair = i % set->pairs;
        assert_ok(abut_place(s->shapes[2 * pair], q->pose_a, &s->placed[2 * i]));
        assert_ok(abut_place(s->shapes[2 * pair + 1], q->pose_b, &s->placed[2 * i + 1]));
    }
    return s;
}

static void *prepare_batch(const input_set *set) {
    state *s = prepare_placed(set);
    s->pairs = check_memory((size_t)inputs_questions(set), sizeof *s->pairs);
    s->results = check_memory(batch_pairs, sizeof *s->results);
    s->packed = check_memory((size_t)batch_pairs * most_contacts, sizeof *s->packed);
    for (int32_t i = 0; i < inputs_questions(set); i++) {
        s->pairs[i] = (abut_placed_pair){2 * i, 2 * i + 1};
    }
    return s;
}

static void rewind_caches(void *opaque) {
    state *s = opaque;
    const abut_cache nothing = {0};
    for (int32_t i = 0; s->caches != NULL && i < s->set->pairs; i++) {
        s->caches[i] = nothing;
    }
}

static void release(void *opaque) {
    state *s = opaque;
    for (int32_t i = 0; i < 2 * s->set->pairs; i++) {
        abut_shape_release(s->shapes[i]);
    }
    free(s->shapes);
    free(s->caches);
    free(s->placed);
    free(s->pairs);
    free(s->results);
    free(s->packed);
    free(s);
}

static abut_cache *cache_of(const state *s, int32_t pair) { return s->caches ? &s->caches[pair] : NULL; }

static int32_t ask_contacts(void *opaque, int32_t index, int32_t pair) {
    state *s = opaque;
    const question *q = &s->set->questions[index];
    int32_t count;
    abut_status status = abut_collide(&(abut_pair){s->shapes[2 * pair], q->pose_a, s->shapes[2 * pair + 1], q->pose_b}, s->settings,
                                      cache_of(s, pair), s->contacts, most_contacts, &count);
    s->found = s->contacts;
    return status == ABUT_OK ? count : -1;
}

static int32_t ask_placed(void *opaque, int32_t index, int32_t pair) {
    state *s = opaque;
    int32_t count;
    (void)pair;
    abut_status status =
        abut_collide_placed(&s->placed[2 * index], &s->placed[2 * index + 1], s->settings, NULL, s->contacts, most_contacts, &count);
    s->found = s->contacts;
    return status == ABUT_OK ? count : -1;
}

/* Answers all questions of a batch at the first of them. */
static int32_t ask_in_batches(void *opaque, int32_t index, int32_t pair) {
    static const abut_parallel alone = {.threads = 1};
    state *s = opaque;
    int32_t within = index % batch_pairs, questions = inputs_questions(s->set);
    (void)pair;
    if (within == 0) {
        int32_t count = questions - index < batch_pairs ? questions - index : batch_pairs;
        int64_t needed;
        abut_status status = abut_collide_placed_batch(s->placed, 2 * questions, s->pairs + index, count, s->settings, NULL, &alone,
                                                       s->packed, (int64_t)batch_pairs * most_contacts, &needed, s->results);
        for (int32_t i = 0; status != ABUT_OK && i < count; i++) {
            s->results[i].status = status;
        }
    }
    const abut_pair_result *result = &s->results[within];
    s->found = s->packed + result->first;
    return result->status == ABUT_OK ? result->count : -1;
}

static double deepest_gap(const void *opaque, int32_t points) {
    const state *s = opaque;
    double gap = s->found[0].gap;
    for (int32_t i = 1; i < points; i++) {
        gap = fmin(gap, s->found[i].gap);
    }
    return gap;
}

static int32_t ask_distance(void *opaque, int32_t index, int32_t pair) {
    state *s = opaque;
    const question *q = &s->set->questions[index];
    abut_status status = abut_distance(&(abut_pair){s->shapes[2 * pair], q->pose_a, s->shapes[2 * pair + 1], q->pose_b}, s->settings,
                                       cache_of(s, pair), &s->separation);
    return status == ABUT_OK ? 1 : -1;
}

static double distance(const void *opaque, int32_t points) {
    (void)points;
    return ((const state *)opaque)->separation.gap;
}

static bool takes_contacts(const input_set *set) { return !inputs_ask_distance(set); }

static bool takes_distances(const input_set *set) { return inputs_ask_distance(set); }

/* A cache is useless where no pair occurs twice. */
static bool takes_contacts_again(const input_set *set) { return takes_contacts(set) && set->steps > 1; }

static bool takes_distances_again(const input_set *set) { return takes_distances(set) && set->steps > 1; }

/* clang-format off */
const engine abut_collide_minimum = {
    "abut collide", takes_contacts, prepare_cold, NULL, NULL, ask_contacts, deepest_gap, release};
const engine abut_collide_growth = {
    "abut collide, growth normal", takes_contacts, prepare_growth_cold, NULL, NULL, ask_contacts, deepest_gap, release};
const engine abut_collide_minimum_cached = {
    "abut collide, cached", takes_contacts_again, prepare_cached, rewind_caches, NULL, ask_contacts, deepest_gap, release};
const engine abut_collide_growth_cached = {
    "abut collide, growth normal, cached", takes_contacts_again, prepare_growth_cached, rewind_caches, NULL, ask_contacts, deepest_gap, release};
const engine abut_collide_of_placed = {
    "abut collide, placed", takes_contacts, prepare_placed, NULL, NULL, ask_placed, deepest_gap, release};
const engine abut_collide_in_batches = {
    "abut collide, batch", takes_contacts, prepare_batch, NULL, NULL, ask_in_batches, deepest_gap, release};
const engine abut_distance_cold = {
    "abut distance", takes_distances, prepare_cold, NULL, NULL, ask_distance, distance, release};
const engine abut_distance_cached = {
    "abut distance, cached", takes_distances_again, prepare_cached, rewind_caches, NULL, ask_distance, distance, release};
/* clang-format on */
