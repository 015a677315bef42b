/* Queries of bodies of rounded triangles: posed facets and bounds. */

#include "shape/facet/mesh.h"

#include "base/argument.h"
#include "base/real.h"
#include "shape/shape.h"

int32_t abut_shape_facet_count(const abut_shape *shape) {
    return shape != NULL && shape->kind == ABUT_SHAPE_FACETMESH ? shape->mesh->triangle_count : 0;
}

abut_status abut_shape_facet(const abut_shape *shape, abut_pose pose, int32_t index, abut_facet *facet) {
    if (argument_is_null(CALL_NAME, "facet", facet) || argument_is_null(CALL_NAME, "shape", shape) ||
        argument_is_no_index(CALL_NAME, "index", index, abut_shape_facet_count(shape)) || argument_is_no_pose(CALL_NAME, "pose", pose)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const facet_side *side = &shape->facets->side[index];
    abut_mat3 turn = abut_mat3_from_quat(pose.rotation);
    for (int i = 0; i < 3; ++i) {
        facet->corner[i] = abut_add(abut_mat3_apply(turn, side->corner[i]), pose.position);
    }
    facet->radius = side->radius;
    return ABUT_OK;
}

abut_status abut_shape_facet_curvatures(const abut_shape *shape, abut_pose pose, int32_t index, abut_facet_curvatures *curvatures) {
    if (argument_is_null(CALL_NAME, "curvatures", curvatures) || argument_is_null(CALL_NAME, "shape", shape) ||
        argument_is_no_index(CALL_NAME, "index", index, abut_shape_facet_count(shape)) || argument_is_no_pose(CALL_NAME, "pose", pose)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const facet_side *side = &shape->facets->side[index];
    double mean = 1.0 / side->radius, half = abut_length(side->saddle);
    *curvatures = (abut_facet_curvatures){.along = mean + half, .across = mean - half};
    if (half > 0.0) {
        curvatures->direction = abut_mat3_apply(abut_mat3_from_quat(pose.rotation), abut_unit(side->saddle));
    }
    return ABUT_OK;
}

double abut_shape_facet_given_radius(const abut_shape *shape, int32_t index) {
    bool given = index >= 0 && index < abut_shape_facet_count(shape) && !shape->facets->estimated;
    return given ? shape->facets->radius[index] : 0.0;
}

abut_status abut_shape_facet_sphere(const abut_shape *shape, abut_pose pose, int32_t index, abut_facet_sphere *sphere) {
    if (argument_is_null(CALL_NAME, "sphere", sphere) || argument_is_null(CALL_NAME, "shape", shape) ||
        argument_is_no_index(CALL_NAME, "index", index, abut_shape_facet_count(shape)) || argument_is_no_pose(CALL_NAME, "pose", pose)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const facet_side *side = &shape->facets->side[index];
    abut_mat3 turn = abut_mat3_from_quat(pose.rotation);
    *sphere = (abut_facet_sphere){abut_add(abut_mat3_apply(turn, side->centre), pose.position), side->radius,
                                  abut_mat3_apply(turn, side->normal)};
    return ABUT_OK;
}

/* ---- bounds ---- */

/* An upper bound of the node's reach along a unit direction, with a margin for rounding errors. */
static double bound_of(const packed_tree *tree, const packed_node *node, abut_vec3 d) {
    double unit = 1.0 / tree->scale;
    abut_vec3 far = {(double)(d.x > 0.0 ? node->upper[0] : node->lower[0]), (double)(d.y > 0.0 ? node->upper[1] : node->lower[1]),
                     (double)(d.z > 0.0 ? node->upper[2] : node->lower[2])};
    return abut_dot(d, tree->middle) + unit * abut_dot(d, far);
}

static double farthest(const facetmesh *facets, const packed_tree *tree, abut_vec3 d) {
    double reach = -INFINITY;
    int32_t stack[PACKED_DEPTH], height = 0;
    for (stack[height++] = 0; height > 0;) {
        int32_t at = stack[--height];
        const packed_node *node = &tree->node[at];
        if (bound_of(tree, node, d) < reach) {
            continue;
        }
        if (node->count == 0) {
            bool right_first = bound_of(tree, &tree->node[node->first], d) > bound_of(tree, &tree->node[at + 1], d);
            stack[height++] = right_first ? at + 1 : node->first;
            stack[height++] = right_first ? node->first : at + 1;
        }
        for (int32_t slot = node->first; slot < node->first + node->count; ++slot) {
            reach = real_max(reach, facet_reach(&facets->side[facets->topology->order[slot]], d));
        }
    }
    return reach;
}

abut_aabb facetmesh_bounds(const abut_shape *shape, abut_pose pose, abut_mat3 turn) {
    const abut_mat3 axes = abut_mat3_transpose(turn); /* the world's axes in the shape frame */
    const abut_vec3 axis[3] = {axes.x, axes.y, axes.z};
    double low[3], high[3];
    for (int i = 0; i < 3; ++i) {
        high[i] = farthest(shape->facets, &shape->mesh->tree, axis[i]);
        low[i] = -farthest(shape->facets, &shape->mesh->tree, abut_neg(axis[i]));
    }
    return (abut_aabb){abut_add(abut_vec3_make(low[0], low[1], low[2]), pose.position),
                       abut_add(abut_vec3_make(high[0], high[1], high[2]), pose.position)};
}
