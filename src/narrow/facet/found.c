/* A growing list of facet pairs in contact, and its order by facet indices. */
#include "narrow/facet/mesh.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"

void facet_found_init(facet_found *found) {
    found->items = found->few;
    found->count = 0;
    found->capacity = FACET_FOUND_FEW;
    found->out_of_memory = found->not_finite = false;
}

void facet_found_free(facet_found *found) {
    if (found->items != found->few) {
        memory_release(found->items);
    }
    facet_found_init(found);
}

static bool grow(facet_found *found) {
    bool grown = array_double(&found->items, found->few, &found->capacity, sizeof *found->items);
    found->out_of_memory = found->out_of_memory || !grown;
    return grown;
}

void facet_found_add(facet_found *found, int32_t facet_a, int32_t facet_b, const abut_facet_contact *contact) {
    if (found->count < found->capacity || grow(found)) {
        abut_facetmesh_contact *item = &found->items[found->count++];
        item->facet_a = facet_a;
        item->facet_b = facet_b;
        item->contact = *contact;
    }
}

/* ---- order ---- */

static bool comes_after(const abut_facetmesh_contact *p, const abut_facetmesh_contact *q) {
    return p->facet_a != q->facet_a ? p->facet_a > q->facet_a : p->facet_b > q->facet_b;
}

/* Moves the item at `at` down to its place in a heap with the largest item on top. Heap sort needs no memory and has no bad case. */
static void sift(const facet_found *found, int32_t *order, int32_t at, int32_t count) {
    int32_t moved = order[at];
    for (int32_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && comes_after(&found->items[order[child + 1]], &found->items[order[child]]);
        if (!comes_after(&found->items[order[child]], &found->items[moved])) {
            break;
        }
        order[at] = order[child];
        at = child;
    }
    order[at] = moved;
}

static void insert_each(const facet_found *found, int32_t *order) {
    for (int32_t i = 1; i < found->count; ++i) {
        int32_t k = i, moved = order[i];
        for (; k > 0 && comes_after(&found->items[order[k - 1]], &found->items[moved]); --k) {
            order[k] = order[k - 1];
        }
        order[k] = moved;
    }
}

void facet_found_sort(const facet_found *found, int32_t *order) {
    int32_t count = found->count;
    for (int32_t i = 0; i < count; ++i) {
        order[i] = i;
    }
    if (count <= FACET_FOUND_FEW) {
        insert_each(found, order);
        return;
    }
    for (int32_t i = count / 2 - 1; i >= 0; --i) {
        sift(found, order, i, count);
    }
    for (int32_t end = count - 1; end > 0; --end) {
        int32_t last = order[0];
        order[0] = order[end];
        order[end] = last;
        sift(found, order, 0, end);
    }
}
