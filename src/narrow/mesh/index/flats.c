/* Triangles inside flat places, through a table of sides: see flats.h. Set frame. */
#include "narrow/mesh/index/flats.h"

#include "base/memory.h"
#include "base/real.h"
#include "narrow/patch/contact_list.h"

#define PARALLEL 1e-9 /* sine of the angle between triangles of one plane */

static const double most_slender = 2500.0; /* longest side over height */

typedef struct side_slot {
    int32_t part, low, high; /* the mesh and the vertices */
    int32_t item;            /* the first triangle with this side, plus 1; 0: the slot is free */
    bool forwards;           /* it runs from low to high there */
    bool flat;               /* a second triangle, and no third, goes on in the same plane */
    bool full;               /* there is a second triangle */
} side_slot;

typedef struct side_table {
    const mesh_set *set;
    side_slot *slot;
    uint32_t mask;
} side_table;

static uint32_t slots_for(int64_t entries) {
    uint32_t slots = 64;
    while (slots / 4 * 3 < entries && slots < UINT32_C(1) << 31) {
        slots *= 2;
    }
    return slots / 4 * 3 >= entries ? slots : 0;
}

static uint64_t hash_of(int32_t part, int32_t low, int32_t high) {
    return contact_mix(((uint64_t)(uint32_t)low << 32 | (uint32_t)high) + contact_mix((uint32_t)part));
}

/* ---- sides ---- */

static bool is_wide(const mesh_triangle *t, double *slender) {
    double square = 0.0;
    for (int i = 0; i < 3; ++i) {
        square = real_max(square, abut_length_squared(abut_sub(t->corner[(i + 1) % 3], t->corner[i])));
    }
    *slender = square / abut_length(t->across);
    return !t->flat && *slender <= most_slender;
}

static bool is_level(const mesh_triangle *t, const mesh_triangle *other) {
    return !other->flat && abut_dot(t->normal, other->normal) > 0.0 &&
           abut_length_squared(abut_cross(t->normal, other->normal)) <= PARALLEL * PARALLEL;
}

/* The slot of a side, or the free one where it belongs. */
static side_slot *find(const side_table *table, int32_t part, int32_t low, int32_t high) {
    uint32_t at = (uint32_t)hash_of(part, low, high) & table->mask;
    side_slot *slot = &table->slot[at];
    while (slot->item != 0 && (slot->low != low || slot->high != high || slot->part != part)) {
        at = (at + 1) & table->mask;
        slot = &table->slot[at];
    }
    return slot;
}

static void add_side(const side_table *table, int32_t item, int side) {
    const mesh_triangle *t = &table->set->items[item];
    int32_t v = t->vertex[side], w = t->vertex[(side + 1) % 3];
    bool forwards = v < w;
    side_slot *slot = find(table, t->part, forwards ? v : w, forwards ? w : v);
    if (slot->item == 0) {
        *slot = (side_slot){.part = t->part, .low = forwards ? v : w, .high = forwards ? w : v, .item = item + 1, .forwards = forwards};
    } else {
        slot->flat = !slot->full && slot->forwards != forwards && is_level(&table->set->items[slot->item - 1], t);
        slot->full = true;
    }
}

/* ---- corners ---- */

/* The vertices about which some triangle is not level with the next one, or too slender. */
typedef struct rough_set {
    struct rough_slot {
        int32_t part, vertex; /* plus 1; 0: the slot is free */
    } * slot;
    uint32_t mask;
} rough_set;

static struct rough_slot *find_rough(const rough_set *rough, int32_t part, int32_t vertex) {
    uint32_t at = (uint32_t)hash_of(part, vertex, vertex) & rough->mask;
    struct rough_slot *slot = &rough->slot[at];
    while (slot->vertex != 0 && (slot->vertex != vertex + 1 || slot->part != part)) {
        at = (at + 1) & rough->mask;
        slot = &rough->slot[at];
    }
    return slot;
}

static void add_rough(const rough_set *rough, int32_t part, int32_t vertex) {
    *find_rough(rough, part, vertex) = (struct rough_slot){part, vertex + 1};
}

static int64_t count_rough(const side_table *table) {
    int64_t count = 0;
    for (int64_t i = 0; i <= table->mask; ++i) {
        count += table->slot[i].item != 0 && !table->slot[i].flat;
    }
    return count;
}

static void list_rough(const side_table *table, const bool *wide, const rough_set *rough) {
    for (int64_t i = 0; i <= table->mask; ++i) {
        const side_slot *slot = &table->slot[i];
        if (slot->item != 0 && !slot->flat) {
            add_rough(rough, slot->part, slot->low);
            add_rough(rough, slot->part, slot->high);
        }
    }
    for (int32_t i = 0; i < table->set->count; ++i) {
        const mesh_triangle *t = &table->set->items[i];
        for (int k = 0; k < 3 && !wide[i]; ++k) {
            add_rough(rough, t->part, t->vertex[k]);
        }
    }
}

/* ---- all ---- */

/* Notes which triangles are wide. Returns how many are not. */
static int32_t list_wide(const mesh_set *set, double same, bool *wide, double *lean) {
    const double flat_sine = 4.0 * FLAT_SINE, level = 4e-3, least = 1e-5;
    double most = 0.0, height = INFINITY;
    int32_t narrow = 0;
    for (int32_t i = 0; i < set->count; ++i) {
        double slender;
        wide[i] = is_wide(&set->items[i], &slender);
        narrow += !wide[i];
        if (wide[i]) {
            most = real_max(most, slender);
            height = real_min(height, sqrt(abut_length(set->items[i].across) / slender));
        }
    }
    *lean = real_max(least, real_max(flat_sine * most, level * same / height));
    return narrow;
}

static void mark_inside(const mesh_set *set, const rough_set *rough, bool *inside) {
    for (int32_t i = 0; i < set->count; ++i) {
        const mesh_triangle *t = &set->items[i];
        inside[i] = true;
        for (int k = 0; k < 3 && inside[i]; ++k) {
            inside[i] = find_rough(rough, t->part, t->vertex[k])->vertex == 0;
        }
    }
}

static bool fill(const side_table *table, int32_t narrow, bool *inside) {
    for (int32_t i = 0; i < table->set->count; ++i) {
        for (int side = 0; side < 3; ++side) {
            add_side(table, i, side);
        }
    }
    uint32_t slots = slots_for(2 * count_rough(table) + 3 * (int64_t)narrow);
    rough_set rough = {slots > 0 ? memory_allocate(slots, sizeof *rough.slot) : NULL, slots - 1};
    if (rough.slot != NULL) {
        list_rough(table, inside, &rough);
        mark_inside(table->set, &rough, inside);
    }
    memory_release(rough.slot);
    return rough.slot != NULL;
}

void mesh_flats_make(mesh_flats *flats, const mesh_set *set, double same) {
    uint32_t slots = slots_for(3 * (int64_t)set->count);
    side_table table = {set, slots > 0 ? memory_allocate(slots, sizeof *table.slot) : NULL, slots - 1};
    flats->inside = memory_allocate((size_t)set->count, sizeof *flats->inside);
    bool fine = table.slot != NULL && flats->inside != NULL;
    fine = fine && fill(&table, list_wide(set, same, flats->inside, &flats->lean), flats->inside);
    memory_release(table.slot);
    if (!fine) {
        mesh_flats_free(flats);
    }
}

void mesh_flats_free(mesh_flats *flats) {
    memory_release(flats->inside);
    flats->inside = NULL;
}
