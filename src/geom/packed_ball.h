#pragma once

#include "geom/packed_tree.h"

/*
 * The leaves of a packed_tree within a fixed distance of a point, in any order. For queries that need all of them; packed_near_next()
 * delivers the nearest first.
 */

typedef struct packed_ball_walk {
    const packed_tree *tree;
    float point[3], limit;                   /* boxes with a larger squared distance are skipped */
    int32_t stack[2 * PACKED_DEPTH], height; /* of two levels, three nodes wait while a fourth is tested */
} packed_ball_walk;

void packed_ball_begin(packed_ball_walk *walk, const packed_tree *tree, abut_vec3 centre, double radius);
bool packed_ball_next(packed_ball_walk *walk, packed_leaf *leaf);
