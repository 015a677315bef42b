/* Upper bound of the way out from bounds of meshes: see bounds.h. Set frame. */
#include "narrow/mesh/pair/bounds.h"

#include "base/real.h"

/* The extent of a mesh's bounds along a direction. */
static void span_of(const placed_mesh *mesh, abut_vec3 direction, double *lower, double *upper) {
    const packed_tree *tree = &mesh->mesh->tree;
    const packed_node *root = &tree->node[0];
    abut_vec3 d = abut_mat3_apply_transposed(mesh->rotation, direction);
    double unit = 1.0 / tree->scale, along = abut_dot(d, abut_sub(tree->middle, mesh->centre));
    const double c[3] = {d.x, d.y, d.z};
    *lower = *upper = along;
    for (int i = 0; i < 3; ++i) {
        double p = unit * c[i] * (double)root->lower[i], q = unit * c[i] * (double)root->upper[i];
        *lower += real_min(p, q);
        *upper += real_max(p, q);
    }
}

/* The shortest translation along an axis of either bounding box that separates the two. Negative: the distance between them. */
static double longest_way_out(const placed_mesh *a, const placed_mesh *b) {
    const abut_vec3 axis[6] = {a->rotation.x, a->rotation.y, a->rotation.z, b->rotation.x, b->rotation.y, b->rotation.z};
    double least = INFINITY;
    for (int i = 0; i < 6; ++i) {
        double a_lower, a_upper, b_lower, b_upper;
        span_of(a, axis[i], &a_lower, &a_upper);
        span_of(b, axis[i], &b_lower, &b_upper);
        least = real_min(least, real_min(a_upper - b_lower, b_upper - a_lower));
    }
    return least;
}

bool mesh_bounds_are_near(const placed_mesh *a, const mesh_surface *b, const mesh_pair_settings *settings, double *deepest) {
    double sum = 0.0;
    bool near = false;
    for (int32_t i = 0; i < b->count; ++i) {
        double way = longest_way_out(a, &b->mesh[i]);
        near = near || way >= -settings->margin - settings->same;
        sum += real_max(way, 0.0);
    }
    *deepest = sum + settings->same;
    return near;
}
