#include "step/fixed/seams.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"

/* Slot of the static mesh of a pair; -1 when the pair has none, or two. */
static int32_t mesh_of(const abut_world *world, const broad_pair *pair) {
    const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    bool a_mesh = a->kind == ABUT_BODY_STATIC && abut_shape_kind(a->shape) == ABUT_SHAPE_TRIMESH;
    bool b_mesh = b->kind == ABUT_BODY_STATIC && abut_shape_kind(b->shape) == ABUT_SHAPE_TRIMESH;
    return a_mesh == b_mesh ? -1 : a_mesh ? pair->a : pair->b;
}

/* By body, then by mesh: all pairs of a body see its meshes in the same order. */
static int by_body(const void *left, const void *right) {
    const seam *p = left, *q = right;
    if (p->body != q->body) {
        return p->body < q->body ? -1 : 1;
    }
    return p->mesh < q->mesh ? -1 : p->mesh > q->mesh;
}

static int32_t count_seams(const abut_world *world) {
    int32_t count = 0;
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *pair = &world->broad.found[p];
        count += broad_is_candidate(&world->broad, pair) && mesh_of(world, pair) >= 0;
    }
    return count;
}

bool seams_find(seam_list *list, const abut_world *world) {
    list->count = 0;
    int32_t count = count_seams(world);
    if (count == 0) {
        return true;
    }
    if (!array_reserve(&list->seams, &list->capacity, count, sizeof *list->seams) ||
        !array_reserve(&list->meshes, &list->mesh_capacity, count, sizeof *list->meshes)) {
        return false;
    }
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *pair = &world->broad.found[p];
        int32_t mesh = broad_is_candidate(&world->broad, pair) ? mesh_of(world, pair) : -1;
        if (mesh >= 0) {
            list->seams[list->count++] = (seam){pair->a + pair->b - mesh, mesh};
        }
    }
    qsort(list->seams, (size_t)list->count, sizeof *list->seams, by_body);
    for (int32_t i = 0; i < list->count; i++) {
        const body *mesh = &world->bodies[list->seams[i].mesh];
        list->meshes[i] = (abut_part){mesh->shape, mesh->pose};
    }
    return true;
}

const abut_part *seams_of_pair(const seam_list *list, const abut_world *world, const broad_pair *pair, int32_t *count, int32_t *own) {
    int32_t mesh = list->count > 0 ? mesh_of(world, pair) : -1;
    if (mesh < 0) {
        return NULL;
    }
    const seam wanted = {pair->a + pair->b - mesh, mesh};
    const seam *found = bsearch(&wanted, list->seams, (size_t)list->count, sizeof wanted, by_body);
    if (found == NULL) {
        return NULL;
    }
    int32_t at = (int32_t)(found - list->seams), first = at, end = at + 1;
    while (first > 0 && list->seams[first - 1].body == wanted.body) {
        first--;
    }
    while (end < list->count && list->seams[end].body == wanted.body) {
        end++;
    }
    *own = at - first;
    *count = end - first;
    return *count > 1 ? &list->meshes[first] : NULL;
}

void seams_release(seam_list *list) {
    memory_release(list->seams);
    memory_release(list->meshes);
}
