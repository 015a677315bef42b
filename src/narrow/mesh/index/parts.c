/* Triangles in one plane, through an index of planes that is made on demand: see parts.h. */
#include "narrow/mesh/index/parts.h"

#include "base/real.h"

enum { WORTH_AN_INDEX = 16 }; /* making the index takes about as long as this many searches through all triangles */

void mesh_parts_init(mesh_parts *parts, const mesh_set *set, double same) {
    *parts = (mesh_parts){.set = set, .same = same, .left = set->count > MESH_SET_FEW ? WORTH_AN_INDEX : INT32_MAX};
}

void mesh_parts_free(mesh_parts *parts) { mesh_planes_free(&parts->planes); }

/* Without memory the search goes on without an index. */
static void make_index(mesh_parts *parts) {
    const mesh_set *set = parts->set;
    double far = 0.0;
    for (int32_t i = 0; i < set->count; ++i) {
        for (int k = 0; k < 3; ++k) {
            far = real_max(far, abut_length(set->items[i].corner[k]));
        }
    }
    parts->left = INT32_MAX;
    parts->made = mesh_planes_init(&parts->planes, parts->same, far, set->count);
    for (int32_t i = 0; parts->made && i < set->count; ++i) {
        if (!set->items[i].flat) {
            mesh_planes_add(&parts->planes, set->items[i].normal, set->items[i].corner[0], i);
        }
    }
}

void mesh_parts_begin(mesh_parts_walk *walk, mesh_parts *parts, const mesh_triangle *t) {
    if (parts->left == 0) {
        make_index(parts);
    }
    --parts->left;
    *walk = (mesh_parts_walk){.parts = parts, .normal = t->normal, .point = t->corner[0]};
    if (parts->made) {
        mesh_planes_begin(&walk->in, &parts->planes, t->normal, t->corner[0]);
    }
}

int32_t mesh_parts_next(mesh_parts_walk *walk) {
    mesh_parts *parts = walk->parts;
    if (!parts->made) {
        return walk->next < parts->set->count ? walk->next++ : -1;
    }
    int32_t found = cells_next(&walk->in);
    if (found < 0 && walk->side == 0) {
        walk->side = 1;
        mesh_planes_begin(&walk->in, &parts->planes, abut_neg(walk->normal), walk->point);
        found = cells_next(&walk->in);
    }
    return found;
}
