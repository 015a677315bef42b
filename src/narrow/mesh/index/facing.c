/* Directions that no triangle faces: see facing.h. Set frame. */
#include "narrow/mesh/index/facing.h"

#include "base/memory.h"

enum { WORTH_A_TREE = 16 }; /* making the tree takes about as long as this many looks at all triangles */

void mesh_facing_init(mesh_facing *facing, const mesh_set *set) {
    *facing = (mesh_facing){.set = set, .left = set->count > MESH_SET_FEW ? WORTH_A_TREE : INT32_MAX};
}

void mesh_facing_free(mesh_facing *facing) {
    point_tree_release(&facing->tree);
    memory_release(facing->normal);
    facing->normal = NULL;
}

/* Without memory, or with two-sided triangles, there is none. */
static void make_tree(mesh_facing *facing) {
    const mesh_set *set = facing->set;
    int32_t count = 0;
    facing->left = INT32_MAX;
    facing->normal = memory_allocate((size_t)set->count, sizeof *facing->normal);
    for (int32_t i = 0; facing->normal != NULL && i < set->count; ++i) {
        if (set->items[i].two_sided) {
            count = 0;
            break;
        }
        if (!set->items[i].flat) {
            facing->normal[count++] = set->items[i].normal;
        }
    }
    if (count == 0 || point_tree_make(&facing->tree, facing->normal, NULL, count) != ABUT_OK) {
        mesh_facing_free(facing);
    }
}

bool mesh_facing_is_none(mesh_facing *facing, abut_vec3 direction) {
    const double clearly = 1e-3;
    double height;
    if (facing->left == 0) {
        make_tree(facing);
    }
    facing->left -= facing->left > 0 && facing->left < INT32_MAX;
    return facing->normal != NULL && point_tree_farthest(&facing->tree, direction, -clearly, &height) < 0;
}
