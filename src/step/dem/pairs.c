/*
 * Lists near pairs; a list is kept until a body has moved half the skin (L. Verlet, 1967). Each pair remembers its contact. Pairs are
 * sorted by the place of A (order.h) and the slot of B, so that the memories of the previous list are found by a merge of both lists.
 */
#include <string.h>

#include "base/argument.h"
#include "base/array.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "step/dem/system.h"
#include "step/world/meet/excluded.h"

enum { GRAIN = 256 }; /* balls worth a thread */

static double adhesive_reach(const dem_system *s) {
    double reach = 0.0, roundest = 0.0;
    for (int32_t k = 0; k < s->round_count; ++k) {
        roundest = real_max(roundest, k < s->ball_count ? s->spheres[k].radius : s->facets.meshes[k - s->ball_count].shape->facets->widest);
    }
    for (int32_t i = 0; i < s->kind_count * s->kind_count; ++i) {
        bool reaches = (pressure_snaps(&s->laws[i]) || pressure_law_is_wet(&s->laws[i])) && roundest > 0.0;
        reach = reaches ? real_max(abut_pressure_reach(&s->laws[i], roundest), reach) : reach;
    }
    return reach;
}

static double reach_of(const dem_system *s, int32_t i, double reach) { return s->spheres[i].radius + 0.5 * (s->skin + reach); }

bool dem_pairs_fit(const dem_system *s) {
    double largest = 0.0, reach = adhesive_reach(s);
    for (int32_t i = 0; i < s->round_count; ++i) {
        largest = real_max(reach_of(s, i, reach), largest);
    }
    return neighbours_fit(&s->space, largest) || !refused("abut_world_step", "the periodic space is too short for the largest body");
}

/* Maps a point into the periodic space. */
static abut_vec3 wrapped(const neighbour_space *space, abut_vec3 p) {
    const double *lower = &space->lower.x, *upper = &space->upper.x;
    double x[3] = {p.x, p.y, p.z};
    for (int axis = 0; axis < 3; ++axis) {
        double length = upper[axis] - lower[axis];
        x[axis] -= space->periodic[axis] ? length * floor((x[axis] - lower[axis]) / length) : 0.0;
    }
    return abut_vec3_make(x[0], x[1], x[2]);
}

static bool find_near(dem_system *s, double reach) {
    if (!array_reserve(&s->places, &s->place_capacity, s->body_count + 1, sizeof *s->places) ||
        !array_reserve(&s->reaches, &s->reach_capacity, s->body_count + 1, sizeof *s->reaches)) {
        s->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    for (int32_t i = 0; i < s->round_count; ++i) {
        s->places[i] = wrapped(&s->space, s->spheres[i].centre);
        s->reaches[i] = reach_of(s, i, reach);
        if (!abut_vec3_is_finite(s->places[i])) {
            s->status = world_refuse_body(ABUT_ERROR_NOT_FINITE, s->world, s->tags[i].slot, "its place is not finite");
            return false;
        }
    }
    s->status = neighbours_find(&s->near, s->places, s->reaches, s->round_count, &s->space, &s->world->def.parallel);
    return s->status == ABUT_OK;
}

static bool is_near_plane(const dem_system *s, int32_t body, int32_t plane, double reach) {
    const dem_sphere *b = &s->spheres[body];
    const dem_plane *p = dem_plane_of(s, plane);
    return abut_dot(p->normal, b->centre) - p->offset <= b->radius + s->skin + reach;
}

static bool can_touch(const dem_system *s, int32_t a, int32_t b) {
    return s->all_touch || world_can_touch(s->world, s->tags[a].slot, s->tags[b].slot);
}

/* A is the ball in the lower slot. */
static bool add_pair(dem_system *s, int32_t i, int32_t k) {
    if (!can_touch(s, i, k)) {
        return true;
    }
    if (i >= s->ball_count || (k >= s->ball_count && k < s->round_count)) {
        return dem_facets_add(s, i, k);
    }
    if (!(s->bodies[i].inverse_mass > 0.0) && !(s->bodies[k].inverse_mass > 0.0)) {
        return true;
    }
    if (!array_extend(&s->found, &s->found_capacity, s->pair_count, s->pair_count + 1, sizeof *s->found)) {
        s->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    bool turned = k < s->ball_count && s->tags[k].slot < s->tags[i].slot;
    s->found[s->pair_count++] = turned ? (dem_near){k, i} : (dem_near){i, k};
    return true;
}

/* Where a body comes among the partners of a ball: by slot, then planes. */
static int32_t rank_of(const dem_system *s, int32_t body) { return body < s->ball_count ? s->order.ranks[body] : body; }

/* Sorts a ball's pairs by their B. */
static void sort_own(const dem_system *s, dem_near *item, int32_t count) {
    for (int32_t i = 1; i < count; ++i) {
        dem_near value = item[i];
        int32_t rank = rank_of(s, value.b), at = i;
        for (; at > 0 && rank_of(s, item[at - 1].b) > rank; --at) {
            item[at] = item[at - 1];
        }
        item[at] = value;
    }
}

/* Sorts a ball's pairs by their A. */
static void sort_others(const dem_system *s, int32_t *item, int32_t count) {
    for (int32_t i = 1; i < count; ++i) {
        int32_t value = item[i], rank = rank_of(s, s->pairs[value].a), at = i;
        for (; at > 0 && rank_of(s, s->pairs[item[at - 1]].a) > rank; --at) {
            item[at] = item[at - 1];
        }
        item[at] = value;
    }
}

static void sort_all_own(void *argument, int32_t begin, int32_t end) {
    const dem_system *s = argument;
    for (int32_t a = begin; a < end; ++a) {
        sort_own(s, s->pairs + s->own[a], s->own[a + 1] - s->own[a]);
    }
}

static void sort_all_others(void *argument, int32_t begin, int32_t end) {
    const dem_system *s = argument;
    for (int32_t b = begin; b < end; ++b) {
        sort_others(s, s->others + s->other_first[b], s->other_first[b + 1] - s->other_first[b]);
    }
}

/* Sorts the pairs found: by counting for A, then each ball's few partners. own[i + 1] is the next free position of ball i, and ends as the start of ball
 * i + 1. */
static void sort_pairs(dem_system *s) {
    memset(s->own, 0, ((size_t)s->ball_count + 2) * sizeof *s->own);
    for (int32_t i = 0; i < s->pair_count; ++i) {
        ++s->own[s->found[i].a + 2];
    }
    for (int32_t i = 0; i < s->ball_count; ++i) {
        s->own[i + 2] += s->own[i + 1];
    }
    for (int32_t i = 0; i < s->pair_count; ++i) {
        s->pairs[s->own[s->found[i].a + 1]++] = s->found[i];
        s->touching[i] = 0;
    }
    abut_parallel_for(&s->world->def.parallel, s->ball_count, GRAIN, sort_all_own, s);
}

/* Adds a contact with its memory to a pair. */
static bool remember(dem_system *s, int32_t pair, const dem_memory *memory, const dem_roll *roll) {
    dem_block *block = dem_block_of(s, pair);
    int32_t at = block->count + 1;
    if (!dem_block_reserve(s, block, at)) {
        return false;
    }
    block->contacts[at] = (dem_contact){.stretch = memory->stretch, .normal = memory->normal, .stiffness = memory->stiffness, .pair = pair};
    if (s->rolls) {
        block->rolls[at] = *roll;
    }
    s->touching[pair] = (uint16_t)at;
    ++block->count;
    return true;
}

/* Takes over memories of the previous list, whose A are numbered as now. A memory is identified by A, and by the slot of B. False when there is no memory. */
static bool recall(dem_system *s) {
    int32_t old = 0;
    for (int32_t i = 0; i < s->pair_count; ++i) {
        const dem_near *pair = &s->pairs[i];
        int32_t b = s->tags[pair->b].slot;
        bool plane = pair->b >= s->round_count;
        for (; old < s->spare_count; ++old) {
            const dem_memory *was = &s->spare[old];
            int32_t order = was->a != pair->a     ? (was->a < pair->a ? -1 : 1)
                            : was->plane != plane ? (was->plane < plane ? -1 : 1)
                                                  : (was->slot_b > b) - (was->slot_b < b);
            if (order == 0 && !remember(s, i, was, s->rolls ? &s->spare_rolled[old] : NULL)) {
                return false;
            }
            if (order >= 0) {
                break;
            }
        }
    }
    return true;
}

/* Keeps the memories of the old list. False when there is no memory. */
static bool set_aside(dem_system *s) {
    int32_t count = 0;
    for (int32_t i = 0; i < s->block_count; ++i) {
        count += s->blocks[i].count;
    }
    if (!array_reserve(&s->spare, &s->spare_capacity, count + 1, sizeof *s->spare) ||
        (s->rolls && !array_reserve(&s->spare_rolled, &s->spare_rolled_capacity, count + 1, sizeof *s->spare_rolled))) {
        return false;
    }
    s->spare_count = 0;
    for (int32_t i = 0; i < s->pair_count; ++i) {
        const dem_contact *c = dem_contact_of(s, i);
        if (s->touching[i] > 0) {
            const dem_near *pair = &s->pairs[i];
            if (s->rolls) {
                s->spare_rolled[s->spare_count] = *dem_roll_of(s, i);
            }
            s->spare[s->spare_count++] =
                (dem_memory){pair->a, s->tags[pair->b].slot, pair->b >= s->round_count, c->stretch, c->normal, c->stiffness};
        }
    }
    return true;
}

/* Makes room for the list, and takes the contacts out of the blocks. */
static bool has_room(dem_system *s) {
    const int32_t blocks = s->pair_count / DEM_BLOCK + 1, had = s->block_capacity;
    bool fine = array_reserve(&s->pairs, &s->pair_capacity, s->pair_count + 1, sizeof *s->pairs) &&
                array_reserve(&s->touching, &s->touching_capacity, s->pair_count + 1, sizeof *s->touching) &&
                array_extend(&s->blocks, &s->block_capacity, had, blocks, sizeof *s->blocks) &&
                array_reserve(&s->own, &s->own_capacity, s->ball_count + 2, sizeof *s->own) &&
                array_reserve(&s->other_first, &s->first_capacity, s->ball_count + 2, sizeof *s->other_first) &&
                array_reserve(&s->others, &s->other_capacity, s->pair_count + 1, sizeof *s->others);
    s->block_count = fine ? s->pair_count / DEM_BLOCK + (s->pair_count % DEM_BLOCK != 0) : 0;
    for (int32_t i = 0; i < s->block_capacity; ++i) {
        s->blocks[i].count = 0;
        fine = fine && (i >= s->block_count || dem_block_reserve(s, &s->blocks[i], 0));
    }
    return fine;
}

/* Lists the pairs whose B is a ball, as sort_pairs() does for A. */
static void find_others(dem_system *s) {
    int32_t *first = s->other_first;
    memset(first, 0, ((size_t)s->ball_count + 2) * sizeof *first);
    for (int32_t i = 0; i < s->pair_count; ++i) {
        if (s->pairs[i].b < s->ball_count) {
            ++first[s->pairs[i].b + 2];
        }
    }
    for (int32_t i = 0; i < s->ball_count; ++i) {
        first[i + 2] += first[i + 1];
    }
    for (int32_t i = 0; i < s->pair_count; ++i) {
        if (s->pairs[i].b < s->ball_count) {
            s->others[first[s->pairs[i].b + 1]++] = i;
        }
    }
    abut_parallel_for(&s->world->def.parallel, s->ball_count, GRAIN, sort_all_others, s);
}

/* The round bodies by slot: pairs with meshes are listed in this order. */
static int32_t by_slot(const dem_system *s, int32_t k) { return k < s->ball_count ? s->order.at[k] : k; }

static bool find_pairs(dem_system *s, double reach) {
    for (int32_t at = 0; at < s->round_count; ++at) {
        int32_t i = by_slot(s, at);
        for (int32_t k = s->near.first[i]; k < s->near.first[i + 1]; ++k) {
            if (!add_pair(s, i, s->near.other[k])) {
                return false;
            }
        }
        for (int32_t plane = s->round_count; plane < s->body_count; ++plane) {
            if (is_near_plane(s, i, plane, reach) && !add_pair(s, i, plane)) {
                return false;
            }
        }
    }
    return true;
}

bool dem_pairs_list(dem_system *s) {
    double reach = adhesive_reach(s);
    if (!s->recalled && !set_aside(s)) {
        s->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    s->pair_count = 0;
    if (!dem_facets_begin(s) || !find_near(s, reach) || !find_pairs(s, reach)) {
        return false;
    }
    neighbours_release(&s->near);
    if (!has_room(s)) {
        s->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    sort_pairs(s);
    memory_release(s->found);
    s->found = NULL;
    s->found_capacity = 0;
    if (!recall(s)) {
        s->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    find_others(s);
    if (!dem_facets_end(s)) {
        return false;
    }
    for (int32_t i = 0; i < s->round_count; ++i) {
        s->places[i] = s->spheres[i].centre;
    }
    for (int32_t i = s->round_count; i < s->body_count; ++i) {
        s->places[i] = dem_plane_of(s, i)->normal;
        s->reaches[i] = dem_plane_of(s, i)->offset;
    }
    for (int32_t i = 0; i < s->cells.count; ++i) {
        s->cells.cells[i].listed_radius = s->spheres[s->cells.cells[i].body].radius;
    }
    s->strayed = s->recalled = false;
    ++s->lists;
    ++s->age;
    return true;
}
