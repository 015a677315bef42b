#include "step/query/first.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"

typedef struct first_search {
    const query_way *way;
    abut_world_hit best;
    int32_t best_slot;
    double failed_at; /* the least fraction at which a body may be that cannot be asked; INFINITY for none */
    int32_t failed_slot;
    abut_status failure;
    abut_hit failed_hit;
} first_search;

static double bound_of(void *context, const abut_aabb *box) {
    const first_search *s = context;
    return query_sweep_bound(&s->way->sweep, box);
}

static void note_failure(first_search *s, abut_status status, double fraction, int32_t slot, const abut_hit *hit) {
    if (fraction < s->failed_at || (fraction == s->failed_at && slot < s->failed_slot)) {
        s->failed_at = fraction;
        s->failed_slot = slot;
        s->failure = status;
        s->failed_hit = *hit;
    }
}

static abut_world_hit hit_of(const abut_world *world, int32_t slot, const abut_hit *hit) {
    return (abut_world_hit){.body = body_id_of(world, slot), .user = world->bodies[slot].user, .hit = *hit};
}

/* bound: a fraction before which the body cannot be hit */
static void ask_body(first_search *s, int32_t slot, double bound) {
    const query_way *way = s->way;
    abut_hit hit = {.fraction = bound};
    if (!(bound <= s->best.hit.fraction) || !query_accepts(way->world, way->filter, slot)) {
        return;
    }
    abut_status status = way->ask(way->question, &way->world->bodies[slot], &hit);
    if (status != ABUT_OK) {
        note_failure(s, status, status == ABUT_ERROR_ITERATION_LIMIT ? hit.fraction : bound, slot, &hit);
    } else if (hit.hit &&
               (s->best_slot < 0 || hit.fraction < s->best.hit.fraction || (hit.fraction == s->best.hit.fraction && slot < s->best_slot))) {
        s->best = hit_of(way->world, slot, &hit);
        s->best_slot = slot;
    }
}

static double offer(void *context, int32_t slot) {
    first_search *s = context;
    ask_body(s, slot, query_sweep_bound(&s->way->sweep, &s->way->index->places[slot].box));
    return s->best.hit.fraction;
}

abut_status query_first_hit(const query_way *way, abut_world_hit *hit) {
    first_search s = {.way = way, .best = {.hit = {.fraction = 1.0}}, .best_slot = -1, .failed_at = INFINITY, .failed_slot = -1};
    for (int32_t i = 0; i < way->index->plane_count; i++) {
        ask_body(&s, way->index->planes[i], 0.0);
    }
    box_tree_search(&way->index->tree, s.best.hit.fraction, bound_of, offer, &s);
    if (s.failed_slot >= 0 && s.failed_at <= s.best.hit.fraction) {
        if (s.failure == ABUT_ERROR_ITERATION_LIMIT) {
            *hit = hit_of(way->world, s.failed_slot, &s.failed_hit);
        }
        return s.failure;
    }
    *hit = s.best;
    return ABUT_OK;
}

/* ---- all ---- */

typedef struct slot_hit {
    int32_t slot;
    abut_hit hit;
} slot_hit;

typedef struct all_search {
    const query_way *way;
    slot_hit *found; /* [capacity] */
    int32_t count, capacity;
    int32_t failed_slot; /* of the failure */
    abut_status failure;
} all_search;

static double bound_of_all(void *context, const abut_aabb *box) {
    const all_search *s = context;
    return query_sweep_bound(&s->way->sweep, box);
}

/* Of several failures, that of the lowest slot counts; before all of them, that memory ran out. */
static void fail(all_search *s, int32_t slot, abut_status status) {
    bool worse = s->failure == ABUT_OK || (s->failure != ABUT_ERROR_OUT_OF_MEMORY && slot < s->failed_slot);
    if (worse || status == ABUT_ERROR_OUT_OF_MEMORY) {
        s->failed_slot = slot;
        s->failure = status;
    }
}

static void ask_for_all(all_search *s, int32_t slot) {
    const query_way *way = s->way;
    slot_hit found = {.slot = slot};
    if (!query_accepts(way->world, way->filter, slot)) {
        return;
    }
    abut_status status = way->ask(way->question, &way->world->bodies[slot], &found.hit);
    if (status != ABUT_OK) {
        fail(s, slot, status);
    } else if (found.hit.hit) {
        if (!array_extend(&s->found, &s->capacity, s->count, s->count + 1, sizeof *s->found)) {
            fail(s, slot, ABUT_ERROR_OUT_OF_MEMORY);
            return;
        }
        s->found[s->count++] = found;
    }
}

static double offer_for_all(void *context, int32_t slot) {
    all_search *s = context;
    if (query_sweep_bound(&s->way->sweep, &s->way->index->places[slot].box) <= 1.0) {
        ask_for_all(s, slot);
    }
    return s->failure == ABUT_ERROR_OUT_OF_MEMORY ? -1.0 : 1.0;
}

static int by_fraction(const void *a, const void *b) {
    const slot_hit *p = a, *q = b;
    int order = (p->hit.fraction > q->hit.fraction) - (p->hit.fraction < q->hit.fraction);
    return order != 0 ? order : (p->slot > q->slot) - (p->slot < q->slot);
}

static abut_status write_all(const all_search *s, abut_world_hit *hits, int32_t capacity, int32_t *count) {
    if (s->count > 1) {
        qsort(s->found, (size_t)s->count, sizeof *s->found, by_fraction);
    }
    for (int32_t i = 0; i < s->count && i < capacity; i++) {
        hits[i] = hit_of(s->way->world, s->found[i].slot, &s->found[i].hit);
    }
    *count = s->count;
    return s->count > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
}

abut_status query_all_hits(const query_way *way, abut_world_hit *hits, int32_t capacity, int32_t *count) {
    all_search s = {.way = way, .failure = ABUT_OK};
    for (int32_t i = 0; i < way->index->plane_count; i++) {
        ask_for_all(&s, way->index->planes[i]);
    }
    box_tree_search(&way->index->tree, 1.0, bound_of_all, offer_for_all, &s);
    abut_status status = s.failure != ABUT_OK ? s.failure : write_all(&s, hits, capacity, count);
    memory_release(s.found);
    return status;
}
