/*
 * What the dem stepper keeps of touching pairs: between steps of the world, and in saved states.
 */
#include <string.h>

#include "base/array.h"
#include "base/memory.h"
#include "step/dem/kept.h"
#include "step/world/saved.h"

void dem_release(struct dem_stepper *stepper) {
    if (stepper != NULL) {
        dem_system_release(&stepper->system);
        memory_release(stepper->kept);
        memory_release(stepper->rolls);
        memory_release(stepper->places);
        dem_listing_release(&stepper->listing);
        memory_release(stepper);
    }
}

/* ---- between steps ---- */

/* The ball that a kept pair has as A; -1 if a body of the pair is gone. *rank only grows, because pairs are kept by the slots of A. */
static int32_t first_of(const dem_system *s, const abut_world *world, const kept_pair *k, int32_t *rank) {
    const dem_order *order = &s->order;
    const int32_t slot_a = k->slot_a;
    const body *a = &world->bodies[slot_a], *b = &world->bodies[k->slot_b];
    while (*rank < order->count && order->slots[*rank] < slot_a) {
        ++*rank;
    }
    bool here = *rank < order->count && order->slots[*rank] == slot_a && a->used && b->used && a->generation == k->generation_a &&
                b->generation == k->generation_b;
    return here ? order->at[*rank] : -1;
}

/* Sorts what was kept by the places of A, by counting. first: [ball_count + 1] zeros. */
static void recall_pairs(dem_system *s, const struct dem_stepper *stepper, const abut_world *world, int32_t *first) {
    int32_t rank = 0;
    for (int32_t i = 0; i < stepper->kept_count; ++i) {
        int32_t a = first_of(s, world, &stepper->kept[i], &rank);
        if (a >= 0) {
            ++first[a + 1];
            ++s->spare_count;
        }
    }
    for (int32_t a = 0; a < s->ball_count; ++a) {
        first[a + 1] += first[a];
    }
    rank = 0;
    for (int32_t i = 0; i < stepper->kept_count; ++i) {
        const kept_pair *k = &stepper->kept[i];
        int32_t a = first_of(s, world, k, &rank);
        if (a >= 0) {
            int32_t to = first[a]++;
            s->spare[to] = (dem_memory){a, k->slot_b, k->plane, k->stretch, k->normal, k->stiffness};
            if (s->rolls) {
                const kept_roll roll = stepper->rolling ? stepper->rolls[i] : (kept_roll){.stiffness = 0.0};
                s->spare_rolled[to] = (dem_roll){.stretch = roll.stretch, .stiffness = roll.stiffness};
            }
        }
    }
}

bool dem_recall(dem_system *s, const struct dem_stepper *stepper, const abut_world *world) {
    s->spare_count = 0;
    dem_facets *f = &s->facets;
    if (!array_reserve(&s->spare, &s->spare_capacity, stepper->kept_count + 1, sizeof *s->spare) ||
        (s->rolls && !array_reserve(&s->spare_rolled, &s->spare_rolled_capacity, stepper->kept_count + 1, sizeof *s->spare_rolled)) ||
        !array_reserve(&f->aside, &f->aside_capacity, stepper->place_count + 1, sizeof *f->aside)) {
        return false;
    }
    f->aside_count = stepper->place_count;
    if (stepper->place_count > 0) {
        memcpy(f->aside, stepper->places, (size_t)stepper->place_count * sizeof *f->aside);
    }
    int32_t *first = memory_allocate((size_t)s->ball_count + 1, sizeof *first);
    if (first == NULL) {
        return false;
    }
    recall_pairs(s, stepper, world, first);
    s->recalled = true;
    memory_release(first);
    return true;
}

/* ---- saved states ---- */

enum { KEPT_BYTES = 1 + 1 + 8 + 24 + 24 + 8 + 8 };

static void save_kept(saved_stream *s, kept_pair *k) {
    bool touched = true;
    saved_bool(s, &k->plane);
    saved_bool(s, &touched);
    saved_int32(s, &k->slot_a);
    saved_int32(s, &k->slot_b);
    saved_vec3(s, &k->stretch);
    saved_vec3(s, &k->normal);
    saved_real(s, &k->stiffness);
    saved_uint32(s, &k->generation_a);
    saved_uint32(s, &k->generation_b);
}

enum { PLACE_BYTES = 6 * 4 + 8 + 24 + 24 + 8 + 24 };

/* The forces of a place are not saved, because they are computed again. */
static void save_place(saved_stream *s, dem_facet_memory *m) {
    saved_int32(s, &m->names.rank_a);
    saved_int32(s, &m->names.slot_a);
    saved_int32(s, &m->names.rank_b);
    saved_int32(s, &m->names.slot_b);
    saved_uint32(s, &m->names.generation_a);
    saved_uint32(s, &m->names.generation_b);
    saved_int32(s, &m->region.memory.surface_a);
    saved_int32(s, &m->region.memory.surface_b);
    saved_vec3(s, &m->region.memory.stretch);
    saved_vec3(s, &m->region.memory.normal);
    saved_real(s, &m->region.memory.stiffness);
    saved_vec3(s, &m->region.place);
}

void dem_save(saved_stream *s, const abut_world *world) {
    int32_t kept = world->dem != NULL ? world->dem->kept_count : 0, places = world->dem != NULL ? world->dem->place_count : 0;
    saved_int32(s, &kept);
    for (int32_t i = 0; i < kept; ++i) {
        kept_pair pair = world->dem->kept[i];
        save_kept(s, &pair);
    }
    saved_int32(s, &places);
    for (int32_t i = 0; i < places; ++i) {
        dem_facet_memory place = world->dem->places[i];
        save_place(s, &place);
    }
}

static bool is_slot(const abut_world *world, int32_t slot) { return slot >= 0 && slot < world->body_used; }

static abut_status restore_kept(saved_stream *s, const abut_world *world, struct dem_stepper *made) {
    if (!saved_count(s, &made->kept_count, KEPT_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    if (!array_reserve(&made->kept, &made->kept_capacity, made->kept_count + 1, sizeof *made->kept) ||
        !array_reserve(&made->rolls, &made->roll_capacity, made->kept_count + 1, sizeof *made->rolls)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < made->kept_count; ++i) {
        made->kept[i] = (kept_pair){.generation_a = 0};
        save_kept(s, &made->kept[i]);
        s->broken = s->broken || !is_slot(world, made->kept[i].slot_a) || !is_slot(world, made->kept[i].slot_b);
    }
    return s->broken ? ABUT_ERROR_FORMAT : ABUT_OK;
}

static abut_status restore_places(saved_stream *s, const abut_world *world, struct dem_stepper *made) {
    if (!saved_count(s, &made->place_count, PLACE_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    if (!array_reserve(&made->places, &made->place_capacity, made->place_count + 1, sizeof *made->places)) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < made->place_count; ++i) {
        made->places[i] = (dem_facet_memory){.names = {0}};
        save_place(s, &made->places[i]);
        const dem_names *n = &made->places[i].names;
        s->broken = s->broken || !is_slot(world, n->slot_a) || !is_slot(world, n->slot_b);
    }
    return s->broken ? ABUT_ERROR_FORMAT : ABUT_OK;
}

abut_status dem_restore(saved_stream *s, const abut_world *world, struct dem_stepper **stepper) {
    struct dem_stepper *made = memory_allocate(1, sizeof *made);
    if (made == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    abut_status status = restore_kept(s, world, made);
    status = status == ABUT_OK ? restore_places(s, world, made) : status;
    if (status != ABUT_OK) {
        dem_release(made);
        return status;
    }
    *stepper = made;
    return ABUT_OK;
}

/* ---- saved states of rolling ---- */

static void save_roll(saved_stream *s, abut_vec3 *roll, double *stiffness) {
    saved_vec3(s, roll);
    saved_real(s, stiffness);
}

bool dem_rolls_exist(const abut_world *world) {
    const struct dem_stepper *stepper = world->dem;
    for (int32_t i = 0; stepper != NULL && stepper->rolling && i < stepper->kept_count; ++i) {
        if (stepper->rolls[i].stiffness > 0.0) {
            return true;
        }
    }
    for (int32_t i = 0; stepper != NULL && i < stepper->place_count; ++i) {
        if (stepper->places[i].region.memory.roll_stiffness > 0.0) {
            return true;
        }
    }
    return false;
}

void dem_rolls_save(saved_stream *s, struct dem_stepper *stepper) {
    for (int32_t i = 0; stepper != NULL && i < stepper->kept_count; ++i) {
        kept_roll roll = stepper->rolling ? stepper->rolls[i] : (kept_roll){.stiffness = 0.0};
        save_roll(s, &roll.stretch, &roll.stiffness);
        if (saved_is_reading(s)) {
            stepper->rolls[i] = roll;
        }
    }
    if (stepper != NULL && saved_is_reading(s)) {
        stepper->rolling = true;
    }
    for (int32_t i = 0; stepper != NULL && i < stepper->place_count; ++i) {
        abut_pressure_memory *m = &stepper->places[i].region.memory;
        save_roll(s, &m->roll, &m->roll_stiffness);
    }
}
