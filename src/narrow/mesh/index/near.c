/* Triangles near a point, through a tree of cells that is made on demand: see near.h. Set frame. */
#include "narrow/mesh/index/near.h"

#include "narrow/mesh/index/along.h"

enum { WORTH_A_TREE = 24 }; /* making a tree takes about as long as looking at this many triangles for each of its items */

static const double first_spare = 2.0, more_spare = 4.0, most_spare = 128.0;

void mesh_near_init(mesh_near *near, mesh_near_triangle *triangle, const void *context, int32_t count, double reach, double same) {
    *near = (mesh_near){.input = {abut_mat3_identity(), triangle, context, count, reach, same, first_spare}, .risen = -1};
    near->left = (int64_t)WORTH_A_TREE * (count > MESH_SET_FEW ? count : MESH_SET_FEW);
}

void mesh_near_free(mesh_near *near) { near_tree_free(&near->tree); }

/* Whether the last two trees did not make questions much cheaper. Thousands of triangles at one place cannot be told apart. One tree does not show it: a place
 * where many meet may be the only one that was asked about. */
static bool is_useless(mesh_near *near) {
    const double much = 0.9;
    double each = (double)near->looked / (double)(near->asked > 0 ? near->asked : 1);
    bool useless = near->tree.node != NULL && each > much * near->before;
    near->vain = useless ? near->vain + 1 : 0;
    near->before = each;
    near->looked = near->asked = 0;
    return near->vain > 1;
}

/* Makes the first tree, or one with smaller cells. */
static void make_tree(mesh_near *near) {
    near_tree made;
    bool last = is_useless(near) || near->input.spare > most_spare;
    if (!last) {
        near->input.axes = mesh_axes_along(near->input.triangle, near->input.context, near->input.count);
    }
    if (last || !near_tree_build(&made, &near->input)) {
        near->left = INT64_MAX;
        return;
    }
    near_tree_free(&near->tree);
    near->tree = made;
    near->left = (int64_t)WORTH_A_TREE * (int64_t)(more_spare * made.item_count);
    near->input.spare *= more_spare;
}

void mesh_near_begin(mesh_near_walk *walk, mesh_near *near, abut_vec3 point, int32_t end) {
    if (near->left < 0) {
        make_tree(near);
    }
    ++near->asked;
    *walk = (mesh_near_walk){.near = near, .point = point, .end = end, .count = end};
    const near_node *leaf = near->tree.node != NULL ? near_tree_leaf(&near->tree, point) : NULL;
    if (leaf != NULL) {
        walk->item = near->tree.item + leaf->first;
        walk->count = leaf->count;
    }
}
