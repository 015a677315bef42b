#include "step/fixed/seams.h"

#include <stdlib.h>

#include "base/array.h"

/* Slot of the mesh of a pair; -1 when it has none that stands still, or two. */
static int32_t mesh_of(const abut_world *world, const broad_pair *pair) {
    const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    bool a_mesh = a->kind == ABUT_BODY_STATIC && abut_shape_kind(a->shape) == ABUT_SHAPE_TRIMESH;
    bool b_mesh = b->kind == ABUT_BODY_STATIC && abut_shape_kind(b->shape) == ABUT_SHAPE_TRIMESH;
    return a_mesh == b_mesh ? -1 : a_mesh ? pair->a : pair->b;
}

/* By the body, and for one body by the mesh: the same order for all of its pairs. */
static int by_body(const void *left, const void *right) {
    const seam *p = left, *q = right;
    if (p->body != q->body) {
        return p->body < q->body ? -1 : 1;
    }
    return p->mesh < q->mesh ? -1 : p->mesh > q->mesh;
}

bool seams_find(abut_world *world) {
    step_work *work = &world->work;
    work->seam_count = 0;
    int32_t count = 0;
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *pair = &world->broad.found[p];
        count += broad_is_candidate(&world->broad, pair) && mesh_of(world, pair) >= 0;
    }
    if (count == 0) {
        return true;
    }
    seam *seams = array_room(work->seams, &work->seam_capacity, count, sizeof *seams);
    work->seams = seams != NULL ? seams : work->seams;
    abut_part *meshes = array_room(work->seam_meshes, &work->seam_mesh_capacity, count, sizeof *meshes);
    work->seam_meshes = meshes != NULL ? meshes : work->seam_meshes;
    if (seams == NULL || meshes == NULL) {
        return false;
    }
    for (int32_t p = 0; p < world->broad.found_count; p++) {
        const broad_pair *pair = &world->broad.found[p];
        int32_t mesh = broad_is_candidate(&world->broad, pair) ? mesh_of(world, pair) : -1;
        if (mesh >= 0) {
            seams[work->seam_count++] = (seam){pair->a + pair->b - mesh, mesh};
        }
    }
    qsort(seams, (size_t)work->seam_count, sizeof *seams, by_body);
    for (int32_t i = 0; i < work->seam_count; i++) {
        const body *mesh = &world->bodies[seams[i].mesh];
        meshes[i] = (abut_part){mesh->shape, mesh->pose};
    }
    return true;
}

const abut_part *seams_of_pair(const abut_world *world, const broad_pair *pair, int32_t *count, int32_t *own) {
    const step_work *work = &world->work;
    int32_t mesh = work->seam_count > 0 ? mesh_of(world, pair) : -1;
    if (mesh < 0) {
        return NULL;
    }
    const seam wanted = {pair->a + pair->b - mesh, mesh};
    const seam *found = bsearch(&wanted, work->seams, (size_t)work->seam_count, sizeof wanted, by_body);
    if (found == NULL) {
        return NULL;
    }
    int32_t at = (int32_t)(found - work->seams), first = at, end = at + 1;
    while (first > 0 && work->seams[first - 1].body == wanted.body) {
        first--;
    }
    while (end < work->seam_count && work->seams[end].body == wanted.body) {
        end++;
    }
    *own = at - first;
    *count = end - first;
    return *count > 1 ? &work->seam_meshes[first] : NULL;
}
