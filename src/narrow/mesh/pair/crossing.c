/* Triangles of two surfaces that share a point, through both hierarchies: see crossing.h. Set frame. */
#include "narrow/mesh/pair/crossing.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"
#include "narrow/mesh/pair/near_pairs.h"

static bool take(void *context, const mesh_triangle *a, const mesh_triangle *b, double *reach) {
    (void)reach;
    crossing_pairs *found = context;
    if (triangles_meet(a->corner, b->corner) == TRIANGLES_APART) {
        return true;
    }
    if (!array_extend(&found->items, &found->capacity, found->count, found->count + 1, sizeof *found->items)) {
        found->out_of_memory = true;
        return false;
    }
    crossing_pair *pair = &found->items[found->count++];
    pair->a = *a;
    pair->b = *b;
    triangles_closest(a->corner, b->corner, &pair->gap);
    return true;
}

static int order(int32_t p, int32_t q) { return (p > q) - (p < q); }

static int by_triangles(const void *left, const void *right) {
    const crossing_pair *p = left, *q = right;
    int by_a = order(p->a.index, q->a.index), by_part = order(p->b.part, q->b.part);
    return by_a != 0 ? by_a : by_part != 0 ? by_part : order(p->b.index, q->b.index);
}

void crossing_find(crossing_pairs *found, const placed_mesh *a, const mesh_surface *b) {
    *found = (crossing_pairs){0};
    for (int32_t i = 0; i < b->count && !found->out_of_memory; ++i) {
        mesh_near_pairs(a, &b->mesh[i], 0.0, take, found);
    }
    if (found->count > 1) {
        qsort(found->items, (size_t)found->count, sizeof *found->items, by_triangles);
    }
}

void crossing_free(crossing_pairs *pairs) {
    memory_release(pairs->items);
    *pairs = (crossing_pairs){0};
}
