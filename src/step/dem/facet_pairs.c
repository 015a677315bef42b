/*
 * The pairs of near bodies of which at least one is a mesh of rounded triangles. Pairs are sorted by their names, so that memories and
 * facet candidates of the previous list are found by a merge of both lists.
 */
#include <string.h>

#include "base/array.h"
#include "base/elementary.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "step/dem/system.h"

static bool lack_memory(dem_system *s) {
    s->status = ABUT_ERROR_OUT_OF_MEMORY;
    return false;
}

static int compare(const dem_names *p, const dem_names *q) {
    const int32_t left[4] = {p->rank_a, p->slot_a, p->rank_b, p->slot_b}, right[4] = {q->rank_a, q->slot_a, q->rank_b, q->slot_b};
    for (int i = 0; i < 4; ++i) {
        if (left[i] != right[i]) {
            return left[i] < right[i] ? -1 : 1;
        }
    }
    return 0;
}

static bool same(const dem_names *p, const dem_names *q) {
    return compare(p, q) == 0 && p->generation_a == q->generation_a && p->generation_b == q->generation_b;
}

static int32_t rank_of(const dem_system *s, int32_t body) { return body < s->ball_count ? 0 : body < s->round_count ? 1 : 2; }

static dem_names names_of(const dem_system *s, int32_t a, int32_t b) {
    int32_t slot_a = s->tags[a].slot, slot_b = s->tags[b].slot;
    const body *bodies = s->world->bodies;
    return (dem_names){rank_of(s, a), slot_a, rank_of(s, b), slot_b, bodies[slot_a].generation, bodies[slot_b].generation};
}

/* ---- previous list ---- */

static void release_pair(dem_facet_pair *pair) {
    facet_candidates_release(&pair->near);
    memory_release(pair->region);
    memory_release(pair->pushes);
    *pair = (dem_facet_pair){.frame = 0};
}

static void release_pairs(dem_facet_pair *pairs, int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
        release_pair(&pairs[i]);
    }
}

void dem_facets_flatten(const dem_facets *f, dem_facet_memory *out, int32_t *count) {
    for (int32_t i = 0; i < f->pair_count; ++i) {
        for (int32_t k = 0; k < f->pairs[i].region_count; ++k) {
            out[(*count)++] = (dem_facet_memory){f->pairs[i].names, f->pairs[i].region[k]};
        }
    }
}

static void exchange_lists(dem_facets *f) {
    dem_facet_pair *pairs = f->spare;
    int32_t capacity = f->spare_capacity;
    release_pairs(f->spare, f->spare_count);
    f->spare = f->pairs;
    f->spare_capacity = f->pair_capacity;
    f->spare_count = f->pair_count;
    f->pairs = pairs;
    f->pair_capacity = capacity;
    f->pair_count = 0;
}

bool dem_facets_begin(dem_system *s) {
    dem_facets *f = &s->facets;
    if (!s->recalled) { /* for the first list of a step, dem_recall() has provided the memories */
        int32_t count = 0;
        for (int32_t i = 0; i < f->pair_count; ++i) {
            count += f->pairs[i].region_count;
        }
        f->aside_count = 0;
        if (!array_reserve(&f->aside, &f->aside_capacity, count + 1, sizeof *f->aside)) {
            return lack_memory(s);
        }
        dem_facets_flatten(f, f->aside, &f->aside_count);
    }
    exchange_lists(f);
    return true;
}

/* ---- current list ---- */

/* The largest finite radius of curvature of a body's surface; 0 for a plane. *flat: whether the surface also has flat parts. */
static double roundest(const dem_system *s, int32_t body, bool *flat) {
    const facetmesh *mesh = dem_mesh_of(s, body) != NULL ? dem_mesh_of(s, body)->shape->facets : NULL;
    *flat = mesh != NULL ? mesh->ball[0].flat : rank_of(s, body) == 2;
    return mesh != NULL ? mesh->widest : *flat ? 0.0 : s->spheres[body].radius;
}

static bool has_saddles(const dem_system *s, int32_t body) {
    const dem_mesh *mesh = dem_mesh_of(s, body);
    return mesh != NULL && mesh->shape->facets->saddle != NULL;
}

static double reach_of(const dem_system *s, int32_t a, int32_t b) {
    bool flat_a, flat_b;
    double ra = roundest(s, a, &flat_a), rb = roundest(s, b, &flat_b);
    double radius = flat_a || flat_b ? real_max(flat_a ? rb : 0.0, flat_b ? ra : 0.0) : real_min(ra, rb);
    radius *= has_saddles(s, a) || has_saddles(s, b) ? PRESSURE_MOST_STRETCH : 1.0;
    double reach = radius > 0.0 ? abut_pressure_reach(dem_law(s, s->tags[a].kind, s->tags[b].kind), radius) : 0.0;
    return isfinite(reach) ? reach : 0.0;
}

/* The length of a body for the layer of flat facets: that of a cube of its volume. Planes and open meshes have no volume. */
static double length_of(const dem_system *s, int32_t body) {
    double volume = s->world->bodies[s->tags[body].slot].shape->unit_mass.volume;
    return volume > 0.0 ? elementary_cbrt(volume) : INFINITY;
}

bool dem_facets_add(dem_system *s, int32_t a, int32_t b) {
    dem_facets *f = &s->facets;
    if (!(s->bodies[a].inverse_mass > 0.0) && !(s->bodies[b].inverse_mass > 0.0)) {
        return true;
    }
    if (!array_extend(&f->pairs, &f->pair_capacity, f->pair_count, f->pair_count + 1, sizeof *f->pairs)) {
        return lack_memory(s);
    }
    const dem_mesh *mesh_a = dem_mesh_of(s, a), *mesh_b = dem_mesh_of(s, b);
    bool turned = mesh_a == NULL || (mesh_b != NULL && mesh_b->shape->facets->reach > mesh_a->shape->facets->reach);
    double layer = real_min(length_of(s, a), length_of(s, b));
    f->pairs[f->pair_count++] = (dem_facet_pair){.frame = turned ? b : a,
                                                 .guest = turned ? a : b,
                                                 .names = names_of(s, a, b),
                                                 .reach = reach_of(s, a, b),
                                                 .layer = isfinite(layer) ? layer : 0.0};
    return true;
}

/* Moves facet candidates over from the previous list. Both lists are sorted by names. */
static void take_candidates(dem_system *s) {
    dem_facets *f = &s->facets;
    int32_t old = 0;
    for (int32_t i = 0; i < f->pair_count; ++i) {
        dem_facet_pair *pair = &f->pairs[i];
        for (; old < f->spare_count && compare(&f->spare[old].names, &pair->names) < 0; ++old) {
        }
        if (old < f->spare_count && same(&f->spare[old].names, &pair->names)) {
            dem_facet_pair *was = &f->spare[old];
            pair->near = was->near;
            pair->frame_shape = was->frame_shape;
            pair->guest_shape = was->guest_shape;
            pair->listed_at = was->listed_at;
            pair->margin = was->margin;
            pair->crowded = was->crowded;
            pair->region = was->region;
            pair->region_capacity = was->region_capacity;
            was->near = (facet_candidates){.pair = NULL};
            was->region = NULL;
            if (dem_cell_of(s, pair->frame) != NULL || dem_cell_of(s, pair->guest) != NULL) {
                pair->frame_shape = NULL; /* another shape may have come to the address of one that is gone */
            }
        }
    }
}

static bool take_memories(dem_system *s) {
    dem_facets *f = &s->facets;
    int32_t at = 0;
    for (int32_t i = 0; i < f->pair_count; ++i) {
        dem_facet_pair *pair = &f->pairs[i];
        for (; at < f->aside_count && compare(&f->aside[at].names, &pair->names) < 0; ++at) {
        }
        for (; at < f->aside_count && same(&f->aside[at].names, &pair->names); ++at) {
            if (!array_extend(&pair->region, &pair->region_capacity, pair->region_count, pair->region_count + 1, sizeof *pair->region)) {
                return lack_memory(s);
            }
            pair->region[pair->region_count++] = f->aside[at].region;
        }
    }
    return true;
}

/* Lists the pairs of each body, by counting sort. first[i + 1] is the next free position of body i, and ends as the start of body i + 1. */
static bool find_owners(dem_system *s) {
    dem_facets *f = &s->facets;
    if (!array_reserve(&f->first, &f->first_capacity, s->body_count + 2, sizeof *f->first) ||
        !array_reserve(&f->of, &f->of_capacity, 2 * f->pair_count + 1, sizeof *f->of) ||
        !array_reserve(&f->tallies, &f->tally_capacity, f->pair_count + 1, sizeof *f->tallies)) {
        return lack_memory(s);
    }
    memset(f->first, 0, ((size_t)s->body_count + 2) * sizeof *f->first);
    for (int32_t i = 0; i < f->pair_count; ++i) {
        ++f->first[f->pairs[i].frame + 2];
        ++f->first[f->pairs[i].guest + 2];
    }
    for (int32_t i = 2; i < s->body_count + 2; ++i) {
        f->first[i] += f->first[i - 1];
    }
    for (int32_t i = 0; i < f->pair_count; ++i) {
        f->of[f->first[f->pairs[i].frame + 1]++] = i;
        f->of[f->first[f->pairs[i].guest + 1]++] = -1 - i;
    }
    return true;
}

bool dem_facets_end(dem_system *s) {
    take_candidates(s);
    return take_memories(s) && find_owners(s);
}

void dem_facets_release(dem_facets *f) {
    release_pairs(f->pairs, f->pair_count);
    release_pairs(f->spare, f->spare_count);
    void *blocks[] = {f->meshes, f->pairs, f->spare, f->aside, f->tallies, f->first, f->of};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        memory_release(blocks[i]);
    }
}
