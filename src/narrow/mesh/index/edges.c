/* Names of mesh edges, through a hash table of the sides of all triangles in a set: see edges.h. */
#include "narrow/mesh/index/edges.h"

#include "base/memory.h"
#include "narrow/patch/contact_list.h"

enum { WORTH_A_TABLE = 8 }; /* making the table takes about as long as this many searches through all triangles */

typedef struct mesh_edge_slot {
    int32_t part, low, high; /* the mesh and the vertices */
    int32_t name;            /* 3 times the lowest triangle plus its side, plus 1; 0: the slot is free */
    int32_t first, last;     /* the first and the last triangle with this edge, by their places in the set */
} mesh_edge_slot;

void mesh_edges_init(mesh_edges *edges, const mesh_set *set) {
    *edges = (mesh_edges){.set = set, .left = set->count > MESH_SET_FEW ? WORTH_A_TABLE : INT32_MAX};
}

void mesh_edges_free(mesh_edges *edges) {
    memory_release(edges->slot);
    edges->slot = NULL;
}

/* ---- by looking at all triangles ---- */

static int side_between(const mesh_triangle *t, int32_t v, int32_t w) {
    for (int i = 0; i < 3; ++i) {
        int32_t p = t->vertex[i], q = t->vertex[(i + 1) % 3];
        if ((p == v && q == w) || (p == w && q == v)) {
            return i;
        }
    }
    return -1;
}

static int32_t search(const mesh_set *set, const mesh_triangle *triangle, int side) {
    int32_t v = triangle->vertex[side], w = triangle->vertex[(side + 1) % 3];
    int32_t lowest = triangle->index, at = side;
    for (int32_t i = 0; i < set->count; ++i) {
        const mesh_triangle *other = &set->items[i];
        if (other->part == triangle->part && other->index < lowest) {
            int found = side_between(other, v, w);
            lowest = found >= 0 ? other->index : lowest;
            at = found >= 0 ? found : at;
        }
    }
    return 3 * lowest + at;
}

/* ---- by a table ---- */

/* The slot of an edge, or the free one where it belongs. */
static mesh_edge_slot *find(const mesh_edges *edges, int32_t part, int32_t v, int32_t w) {
    int32_t low = v < w ? v : w, high = v < w ? w : v;
    uint64_t hash = contact_mix(contact_mix((uint64_t)(uint32_t)low << 32 | (uint32_t)high) + (uint32_t)part);
    uint32_t at = (uint32_t)hash & edges->mask;
    mesh_edge_slot *slot = &edges->slot[at];
    while (slot->name != 0 && (slot->low != low || slot->high != high || slot->part != part)) {
        at = (at + 1) & edges->mask;
        slot = &edges->slot[at];
    }
    slot->part = part;
    slot->low = low;
    slot->high = high;
    return slot;
}

static void add_sides(mesh_edges *edges, int32_t item) {
    const mesh_triangle *t = &edges->set->items[item];
    for (int i = 0; i < 3; ++i) {
        mesh_edge_slot *slot = find(edges, t->part, t->vertex[i], t->vertex[(i + 1) % 3]);
        slot->first = slot->name == 0 ? item : slot->first;
        slot->last = item;
        if (slot->name == 0 || t->index < (slot->name - 1) / 3) {
            slot->name = 3 * t->index + i + 1;
        }
    }
}

/* Without memory the search goes on without a table. */
static void make_table(mesh_edges *edges) {
    uint32_t slots = 64;
    while (slots / 4 * 3 < 3 * (uint64_t)edges->set->count && slots < UINT32_C(1) << 31) {
        slots *= 2;
    }
    bool fits = slots / 4 * 3 >= 3 * (uint64_t)edges->set->count;
    edges->slot = fits ? memory_allocate(slots, sizeof *edges->slot) : NULL;
    edges->mask = slots - 1;
    edges->left = INT32_MAX;
    for (int32_t i = 0; edges->slot != NULL && i < edges->set->count; ++i) {
        add_sides(edges, i);
    }
}

/* Counts a question. Whether there is a table. */
static bool has_table(mesh_edges *edges) {
    if (edges->left == 0) {
        make_table(edges);
    }
    edges->left -= edges->left < INT32_MAX;
    return edges->slot != NULL;
}

abut_feature mesh_edges_name(mesh_edges *edges, const mesh_triangle *triangle, int side) {
    int32_t name = 3 * triangle->index + side;
    if (!has_table(edges)) {
        name = search(edges->set, triangle, side);
    } else {
        int32_t known = find(edges, triangle->part, triangle->vertex[side], triangle->vertex[(side + 1) % 3])->name;
        name = known != 0 && (known - 1) / 3 < triangle->index ? known - 1 : name; /* the triangle need not be in the set */
    }
    return (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = name, .part = triangle->part};
}

int32_t mesh_edges_beyond(mesh_edges *edges, const mesh_triangle *triangle, int side) {
    if (!has_table(edges)) {
        return -1;
    }
    const mesh_edge_slot *slot = find(edges, triangle->part, triangle->vertex[side], triangle->vertex[(side + 1) % 3]);
    if (slot->name == 0) {
        return -1;
    }
    const mesh_triangle *first = &edges->set->items[slot->first];
    bool is_first = first->index == triangle->index && first->part == triangle->part;
    return !is_first ? slot->first : slot->last != slot->first ? slot->last : -1;
}
