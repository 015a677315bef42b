/*
 * Lists near pairs; a list is kept until a body has moved half the skin (L. Verlet, 1967). Each pair remembers its contact. Pairs are
 * sorted by their bodies, that is by slots, so that the memories of the previous list are found by a merge of both lists.
 */
#include <string.h>

#include "base/argument.h"
#include "base/array.h"
#include "base/real.h"
#include "shape/facet/mesh.h"
#include "shape/shape.h"
#include "step/dem/system.h"
#include "step/world/meet/excluded.h"

static double adhesive_reach(const dem_system *s) {
    double reach = 0.0, roundest = 0.0;
    for (int32_t k = 0; k < s->round_count; ++k) {
        roundest = real_max(roundest, k < s->ball_count ? s->bodies[k].radius : s->facets.meshes[k - s->ball_count].shape->facets->widest);
    }
    for (int32_t i = 0; i < s->kind_count * s->kind_count; ++i) {
        bool reaches = (pressure_snaps(&s->laws[i]) || pressure_law_is_wet(&s->laws[i])) && roundest > 0.0;
        reach = reaches ? real_max(abut_pressure_reach(&s->laws[i], roundest), reach) : reach;
    }
    return reach;
}

static double reach_of(const dem_system *s, int32_t i, double reach) { return s->bodies[i].radius + 0.5 * (s->skin + reach); }

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
    if (!array_reserve(&s->places, &s->place_capacity, s->round_count + 1, sizeof *s->places) ||
        !array_reserve(&s->reaches, &s->reach_capacity, s->round_count + 1, sizeof *s->reaches)) {
        s->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    for (int32_t i = 0; i < s->round_count; ++i) {
        s->places[i] = wrapped(&s->space, s->bodies[i].centre);
        s->reaches[i] = reach_of(s, i, reach);
        if (!abut_vec3_is_finite(s->places[i])) {
            s->status = world_refuse_body(ABUT_ERROR_NOT_FINITE, s->world, s->bodies[i].slot, "its place is not finite");
            return false;
        }
    }
    s->status = neighbours_find(&s->near, s->places, s->reaches, s->round_count, &s->space);
    return s->status == ABUT_OK;
}

static bool is_near_plane(const dem_system *s, int32_t body, int32_t plane, double reach) {
    const dem_body *b = &s->bodies[body], *p = &s->bodies[plane];
    return abut_dot(p->normal, b->centre) - p->offset <= b->radius + s->skin + reach;
}

static bool can_touch(const dem_system *s, int32_t a, int32_t b) { return world_can_touch(s->world, s->bodies[a].slot, s->bodies[b].slot); }

static bool add_pair(dem_system *s, int32_t a, int32_t b) {
    if (!can_touch(s, a, b)) {
        return true;
    }
    if (a >= s->ball_count || (b >= s->ball_count && b < s->round_count)) {
        return dem_facets_add(s, a, b);
    }
    const dem_body *p = &s->bodies[a], *q = &s->bodies[b];
    if (!(p->inverse_mass > 0.0) && !(q->inverse_mass > 0.0)) {
        return true;
    }
    if (!array_extend(&s->pairs, &s->pair_capacity, s->pair_count, s->pair_count + 1, sizeof *s->pairs)) {
        s->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    if (s->rolls) {
        if (!array_extend(&s->rolled, &s->rolled_capacity, s->pair_count, s->pair_count + 1, sizeof *s->rolled)) {
            s->status = ABUT_ERROR_OUT_OF_MEMORY;
            return false;
        }
        s->rolled[s->pair_count] = (dem_roll){.stiffness = 0.0};
    }
    s->pairs[s->pair_count++] = (dem_pair){.a = a, .b = b, .law = p->kind * s->kind_count + q->kind};
    return true;
}

/* Takes over memories of the previous list. A memory is identified by the slots of both bodies, stored as its surfaces. */
static void recall(dem_system *s) {
    int32_t old = 0;
    for (int32_t i = 0; i < s->pair_count; ++i) {
        dem_pair *pair = &s->pairs[i];
        int32_t a = s->bodies[pair->a].slot, b = s->bodies[pair->b].slot;
        bool plane = pair->b >= s->round_count;
        for (; old < s->spare_count; ++old) {
            const dem_pair *was = &s->spare[old];
            int32_t order = was->memory.surface_a != a ? (was->memory.surface_a < a ? -1 : 1)
                            : was->b != plane          ? (was->b < (int32_t)plane ? -1 : 1)
                                                       : (was->memory.surface_b > b) - (was->memory.surface_b < b);
            if (order >= 0) {
                pair->touched = order == 0 && was->touched;
                pair->memory = order == 0 ? was->memory : pair->memory;
                if (s->rolls && order == 0) {
                    s->rolled[i] = s->spare_rolled[old];
                }
                break;
            }
        }
        pair->memory.surface_a = a;
        pair->memory.surface_b = b;
    }
}

/* Keeps the touching pairs of the old list. Body indices may change in the next list, so b becomes 1 for a plane and 0 for a ball. */
static void set_aside(dem_system *s) {
    dem_pair *pairs = s->spare;
    int32_t capacity = s->spare_capacity;
    s->spare = s->pairs;
    s->spare_capacity = s->pair_capacity;
    s->pairs = pairs;
    s->pair_capacity = capacity;
    dem_roll *rolled = s->spare_rolled;
    capacity = s->spare_rolled_capacity;
    s->spare_rolled = s->rolled;
    s->spare_rolled_capacity = s->rolled_capacity;
    s->rolled = rolled;
    s->rolled_capacity = capacity;
    s->spare_count = 0;
    for (int32_t i = 0; i < s->pair_count; ++i) {
        if (s->spare[i].touched) {
            dem_pair kept = s->spare[i];
            kept.b = kept.b >= s->round_count;
            if (s->rolls) {
                s->spare_rolled[s->spare_count] = s->spare_rolled[i];
            }
            s->spare[s->spare_count++] = kept;
        }
    }
    s->pair_count = 0;
}

static bool has_room(dem_system *s) {
    return array_reserve(&s->forces, &s->force_capacity, s->pair_count + 1, sizeof *s->forces) &&
           array_reserve(&s->block_tallies, &s->tally_capacity, s->pair_count / DEM_BLOCK + 1, sizeof *s->block_tallies) &&
           array_reserve(&s->own, &s->own_capacity, s->ball_count + 2, sizeof *s->own) &&
           array_reserve(&s->other_first, &s->first_capacity, s->ball_count + 2, sizeof *s->other_first) &&
           array_reserve(&s->others, &s->other_capacity, s->pair_count + 1, sizeof *s->others);
}

/* Lists the pairs of each ball, by counting sort. first[i + 1] is the next free position of ball i, and ends as the start of ball i + 1. */
static void find_owners(dem_system *s) {
    int32_t *first = s->other_first;
    memset(first, 0, ((size_t)s->ball_count + 2) * sizeof *first);
    memset(s->own, 0, ((size_t)s->ball_count + 2) * sizeof *s->own);
    for (int32_t i = 0; i < s->pair_count; ++i) {
        ++s->own[s->pairs[i].a + 1];
        if (s->pairs[i].b < s->ball_count) {
            ++first[s->pairs[i].b + 2];
        }
    }
    for (int32_t i = 0; i < s->ball_count; ++i) {
        s->own[i + 1] += s->own[i];
        first[i + 2] += first[i + 1];
    }
    for (int32_t i = 0; i < s->pair_count; ++i) {
        s->forces[i] = (dem_force){.arm_a = 0.0};
        if (s->pairs[i].b < s->ball_count) {
            s->others[first[s->pairs[i].b + 1]++] = i;
        }
    }
}

bool dem_pairs_list(dem_system *s) {
    double reach = adhesive_reach(s);
    if (s->lists > 0) {
        set_aside(s);
    }
    if (!dem_facets_begin(s) || !find_near(s, reach)) {
        return false;
    }
    for (int32_t i = 0; i < s->round_count; ++i) {
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
    recall(s);
    if (!has_room(s)) {
        s->status = ABUT_ERROR_OUT_OF_MEMORY;
        return false;
    }
    find_owners(s);
    if (!dem_facets_end(s)) {
        return false;
    }
    for (int32_t i = 0; i < s->round_count; ++i) {
        s->places[i] = s->bodies[i].centre;
    }
    for (int32_t i = 0; i < s->cells.count; ++i) {
        s->cells.cells[i].listed_radius = s->bodies[s->cells.cells[i].body].radius;
    }
    s->strayed = false;
    ++s->lists;
    return true;
}
