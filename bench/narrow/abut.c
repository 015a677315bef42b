/* abut's own engines: abut_collide() with its default normal, which is that of least depth, and with the growth normal, and abut_distance(). Each runs without
 * and with a cache for each pair. */
#include <stdlib.h>

#include <abut/abut.h>

#include "engines.h"
#include "support/check.h"

enum { most_contacts = 64 };

typedef struct state {
    const input_set *set;
    abut_shape **shapes; /* [2 pairs] */
    abut_collide_settings chosen;
    const abut_collide_settings *settings; /* `chosen`, or NULL for the defaults */
    abut_cache *caches;                    /* [pairs]; NULL without caches */
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
    free(s);
}

static abut_cache *cache_of(const state *s, int32_t pair) { return s->caches ? &s->caches[pair] : NULL; }

static int32_t ask_contacts(void *opaque, int32_t index, int32_t pair) {
    state *s = opaque;
    const question *q = &s->set->questions[index];
    int32_t count;
    abut_status status = abut_collide(&(abut_pair){s->shapes[2 * pair], q->pose_a, s->shapes[2 * pair + 1], q->pose_b}, s->settings,
                                      cache_of(s, pair), s->contacts, most_contacts, &count);
    return status == ABUT_OK ? count : -1;
}

static double deepest_gap(const void *opaque, int32_t points) {
    const state *s = opaque;
    double gap = s->contacts[0].gap;
    for (int32_t i = 1; i < points; i++) {
        gap = fmin(gap, s->contacts[i].gap);
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
    "abut collide", takes_contacts, prepare_cold, NULL, ask_contacts, deepest_gap, release};
const engine abut_collide_growth = {
    "abut collide, growth normal", takes_contacts, prepare_growth_cold, NULL, ask_contacts, deepest_gap, release};
const engine abut_collide_minimum_cached = {
    "abut collide, cached", takes_contacts_again, prepare_cached, rewind_caches, ask_contacts, deepest_gap, release};
const engine abut_collide_growth_cached = {
    "abut collide, growth normal, cached", takes_contacts_again, prepare_growth_cached, rewind_caches, ask_contacts, deepest_gap, release};
const engine abut_distance_cold = {
    "abut distance", takes_distances, prepare_cold, NULL, ask_distance, distance, release};
const engine abut_distance_cached = {
    "abut distance, cached", takes_distances_again, prepare_cached, rewind_caches, ask_distance, distance, release};
/* clang-format on */
