#include "narrow/mesh_set.h"

#include <string.h>

#include "base/memory.h"

void mesh_set_init(mesh_set *set) {
    set->items = set->few;
    set->count = 0;
    set->capacity = MESH_SET_FEW;
    set->out_of_memory = false;
}

void mesh_set_free(mesh_set *set) {
    if (set->items != set->few) {
        memory_release(set->items);
    }
    mesh_set_init(set);
}

static bool grow(mesh_set *set) {
    bool few = set->items == set->few;
    mesh_triangle *larger = memory_grow(few ? NULL : set->items, few ? 0 : (size_t)set->count, 2 * (size_t)set->capacity, sizeof *larger);
    if (larger == NULL) {
        set->out_of_memory = true;
        return false;
    }
    if (few) {
        memcpy(larger, set->few, (size_t)set->count * sizeof *larger);
    }
    set->items = larger;
    set->capacity *= 2;
    return true;
}

typedef struct gathering {
    mesh_set *set;
    const placed_mesh *mesh;
    double reach;
} gathering;

void mesh_set_place(mesh_triangle *placed, const placed_mesh *mesh, int32_t index, const abut_triangle *triangle) {
    for (int i = 0; i < 3; ++i) {
        abut_vec3 seen = abut_sub(triangle->corner[i], mesh->centre);
        placed->corner[i] = mesh->aligned ? seen : abut_mul(mesh->rotation, seen);
        placed->vertex[i] = triangle->vertex[i];
    }
    abut_vec3 across;
    placed->flat = trimesh_is_flat(mesh->mesh, placed->corner, &across);
    placed->normal = placed->flat ? abut_make_vec3(0.0, 0.0, 0.0) : abut_unit(across);
    placed->index = index;
    placed->part = mesh->part;
    placed->two_sided = mesh->mesh->two_sided;
}

static bool add(void *context, int32_t index, const abut_triangle *triangle) {
    const gathering *to = context;
    const placed_mesh *mesh = to->mesh;
    if (to->set->count == to->set->capacity && !grow(to->set)) {
        return false;
    }
    mesh_triangle *t = &to->set->items[to->set->count];
    for (int i = 0; i < 3; ++i) {
        abut_vec3 seen = abut_sub(triangle->corner[i], mesh->centre);
        t->corner[i] = mesh->aligned ? seen : abut_mul(mesh->rotation, seen);
    }
    abut_vec3 across;
    t->flat = trimesh_is_flat(mesh->mesh, t->corner, &across);
    double height = abut_dot(across, t->corner[0]);
    if (!t->flat && height * height > to->reach * to->reach * abut_length_squared(across)) {
        return true; /* its plane is out of reach */
    }
    for (int i = 0; i < 3; ++i) {
        t->vertex[i] = triangle->vertex[i];
    }
    t->index = index;
    t->part = mesh->part;
    t->two_sided = mesh->mesh->two_sided;
    t->normal = t->flat ? abut_make_vec3(0.0, 0.0, 0.0) : abut_unit(across);
    ++to->set->count;
    return true;
}

void mesh_set_gather(mesh_set *set, const placed_mesh *mesh, abut_aabb near) {
    gathering to = {set, mesh, INFINITY};
    abut_aabb box = {abut_add(mesh->centre, near.lower), abut_add(mesh->centre, near.upper)};
    trimesh_in_box(mesh->mesh, box, add, &to);
}

void mesh_set_gather_ball(mesh_set *set, const placed_mesh *mesh, double reach) {
    gathering to = {set, mesh, reach};
    trimesh_in_ball(mesh->mesh, mesh->centre, reach, add, &to);
}

static int side_between(const mesh_triangle *t, int32_t v, int32_t w) {
    for (int i = 0; i < 3; ++i) {
        int32_t p = t->vertex[i], q = t->vertex[(i + 1) % 3];
        if ((p == v && q == w) || (p == w && q == v)) {
            return i;
        }
    }
    return -1;
}

abut_feature mesh_set_edge(const mesh_set *set, const mesh_triangle *triangle, int side) {
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
    return (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = 3 * lowest + at, .part = triangle->part};
}
