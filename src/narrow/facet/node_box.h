#pragma once

#include "base/real.h"
#include "geom/packed_tree.h"
#include "narrow/facet/mesh.h"

/*
 * The boxes of the nodes of a body's hierarchy, in the body's frame or placed in the other body's.
 */

/* A box, given by its middle and half extents. */
typedef struct node_box {
    double middle[3], half[3];
} node_box;

static inline node_box box_of(const packed_tree *tree, const packed_node *node) {
    const double half = 0.5 / tree->scale, origin[3] = {tree->middle.x, tree->middle.y, tree->middle.z};
    node_box box;
    for (int i = 0; i < 3; ++i) {
        box.middle[i] = half * ((double)node->lower[i] + (double)node->upper[i]) + origin[i];
        box.half[i] = half * ((double)node->upper[i] - (double)node->lower[i]);
    }
    return box;
}

static inline node_box placed_box(const packed_tree *tree, const packed_node *node, const facet_placement *at) {
    node_box own = box_of(tree, node), box;
    const double x[3][3] = {{at->rotation.x.x, at->rotation.y.x, at->rotation.z.x},
                            {at->rotation.x.y, at->rotation.y.y, at->rotation.z.y},
                            {at->rotation.x.z, at->rotation.y.z, at->rotation.z.z}};
    const double origin[3] = {at->position.x, at->position.y, at->position.z};
    for (int i = 0; i < 3; ++i) {
        box.middle[i] = x[i][0] * own.middle[0] + x[i][1] * own.middle[1] + x[i][2] * own.middle[2] + origin[i];
        box.half[i] = fabs(x[i][0]) * own.half[0] + fabs(x[i][1]) * own.half[1] + fabs(x[i][2]) * own.half[2];
    }
    return box;
}

static inline double square_between(const node_box *a, const node_box *b) {
    double sum = 0.0;
    for (int i = 0; i < 3; ++i) {
        double gap = real_max(fabs(a->middle[i] - b->middle[i]) - (a->half[i] + b->half[i]), 0.0);
        sum += gap * gap;
    }
    return sum;
}

static inline double square_from(const node_box *a, abut_vec3 point) {
    const node_box at = {{point.x, point.y, point.z}, {0.0, 0.0, 0.0}};
    return square_between(a, &at);
}
