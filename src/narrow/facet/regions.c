/*
 * Finds the places where two bodies touch: connected sets of facet contacts, each grown from its first contact. Of few contacts, each is compared with all
 * others; of many, with those at the corners of its facet. Both ways give the same order.
 */
#include "narrow/facet/regions.h"

#include <stdlib.h>

#include "base/memory.h"

static bool are_neighbours(const facet_topology *mesh, int32_t f, int32_t g) {
    if (f == g || mesh == NULL) {
        return true;
    }
    const int32_t *p = &mesh->corners[3 * (size_t)f], *q = &mesh->corners[3 * (size_t)g];
    for (int i = 0; i < 3; ++i) {
        int32_t place = mesh->place[p[i]];
        if (place == mesh->place[q[0]] || place == mesh->place[q[1]] || place == mesh->place[q[2]]) {
            return true;
        }
    }
    return false;
}

/* The two sides of an edge or of a valley are separate places although their facets are neighbours; their normals differ. */
static bool belong_together(const facet_topology *a, const facet_topology *b, const abut_facetmesh_contact *p,
                            const abut_facetmesh_contact *q) {
    const double least_cosine = 0.7;
    return abut_dot(p->contact.normal, q->contact.normal) > least_cosine && are_neighbours(a, p->facet_a, q->facet_a) &&
           are_neighbours(b, p->facet_b, q->facet_b);
}

/* The contacts of finished places stand in front of the others. */
static void exchange(int32_t *order, int32_t i, int32_t k) {
    int32_t kept = order[i];
    order[i] = order[k];
    order[k] = kept;
}

/* The contacts, with their topologies. */
typedef struct contacts {
    const facet_topology *a, *b;
    const abut_facetmesh_contact *items;
    int32_t count;
} contacts;

static int32_t compare_all(const contacts *c, int32_t *order, int32_t *first) {
    int32_t regions = 0, placed = 0;
    for (int32_t at = 0; at < c->count; ++at) {
        if (at == placed) {
            first[regions++] = placed++;
        }
        for (int32_t k = placed; k < c->count; ++k) {
            if (belong_together(c->a, c->b, &c->items[order[at]], &c->items[order[k]])) {
                exchange(order, placed++, k);
            }
        }
    }
    return regions;
}

/* ---- many contacts ---- */

enum { FEW = 256 };

/* A contact under a key: a corner of its facet on A, or its position in the order. */
typedef struct keyed {
    int32_t key, item;
} keyed;

typedef struct corner_index {
    keyed *corner;     /* [3 count] by corner */
    int32_t *position; /* [count] of each contact in the order */
    int32_t *seen;     /* [count] the contact for which it was found last, + 1 */
    keyed *next;       /* [count] contacts that join the place */
} corner_index;

static int by_key(const void *left, const void *right) {
    const keyed *p = left, *q = right;
    return p->key != q->key ? (p->key > q->key) - (p->key < q->key) : (p->item > q->item) - (p->item < q->item);
}

static void release_index(corner_index *index) {
    memory_release(index->corner);
    memory_release(index->position);
    memory_release(index->seen);
    memory_release(index->next);
}

static bool make_index(const contacts *c, corner_index *index) {
    const size_t count = (size_t)c->count;
    index->corner = memory_allocate(3 * count, sizeof *index->corner);
    index->position = memory_allocate(count, sizeof *index->position);
    index->seen = memory_allocate(count, sizeof *index->seen);
    index->next = memory_allocate(count, sizeof *index->next);
    if (index->corner == NULL || index->position == NULL || index->seen == NULL || index->next == NULL) {
        return false;
    }
    for (int32_t i = 0; i < c->count; ++i) {
        for (int32_t k = 0; k < 3; ++k) {
            index->corner[3 * (size_t)i + (size_t)k] = (keyed){c->a->place[c->a->corners[3 * (size_t)c->items[i].facet_a + (size_t)k]], i};
        }
        index->position[i] = i;
        index->seen[i] = 0;
    }
    qsort(index->corner, 3 * count, sizeof *index->corner, by_key);
    return true;
}

/* The first entry of a corner. */
static size_t find_corner(const corner_index *index, size_t count, int32_t place) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->corner[middle].key < place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Lists the contacts that are not placed yet and belong to `item`, in their order. */
static int32_t list_next(const contacts *c, const corner_index *index, int32_t item, int32_t placed) {
    const size_t entries = 3 * (size_t)c->count;
    int32_t found = 0;
    for (size_t k = 0; k < 3; ++k) {
        int32_t place = c->a->place[c->a->corners[3 * (size_t)c->items[item].facet_a + k]];
        for (size_t i = find_corner(index, entries, place); i < entries && index->corner[i].key == place; ++i) {
            int32_t other = index->corner[i].item;
            if (index->position[other] >= placed && index->seen[other] != item + 1 &&
                belong_together(c->a, c->b, &c->items[item], &c->items[other])) {
                index->next[found++] = (keyed){index->position[other], other};
            }
            index->seen[other] = item + 1;
        }
    }
    qsort(index->next, (size_t)found, sizeof *index->next, by_key);
    return found;
}

static int32_t compare_at_corners(const contacts *c, const corner_index *index, int32_t *order, int32_t *first) {
    int32_t regions = 0, placed = 0;
    for (int32_t at = 0; at < c->count; ++at) {
        if (at == placed) {
            first[regions++] = placed++;
        }
        int32_t found = list_next(c, index, order[at], placed);
        for (int32_t i = 0; i < found; ++i) {
            int32_t k = index->next[i].key;
            exchange(order, placed, k);
            index->position[order[placed]] = placed;
            index->position[order[k]] = k;
            placed++;
        }
    }
    return regions;
}

int32_t facet_regions_find(const facet_topology *a, const facet_topology *b, const abut_facetmesh_contact *items, int32_t count,
                           int32_t *order, int32_t *first) {
    const contacts c = {a, b, items, count};
    for (int32_t i = 0; i < count; ++i) {
        order[i] = i;
    }
    corner_index index = {NULL, NULL, NULL, NULL};
    /* Without memory for the index it takes longer. */
    int32_t regions = count > FEW && make_index(&c, &index) ? compare_at_corners(&c, &index, order, first) : compare_all(&c, order, first);
    release_index(&index);
    first[regions] = count;
    return regions;
}
