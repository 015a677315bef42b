#pragma once

#include "geom/packed_tree.h"

/*
 * The leaves of a packed_tree no farther from a point than a distance that does not change, in any order: where all of them are wanted,
 * there is no sense in having the nearest first, as packed_near_next() does.
 */

typedef struct packed_ball_walk {
    const packed_tree *tree;
    float point[3], limit;                   /* squares of distances that are larger need no look */
    int32_t stack[2 * PACKED_DEPTH], height; /* of two levels three wait, and a fourth is looked at */
} packed_ball_walk;

void packed_ball_begin(packed_ball_walk *walk, const packed_tree *tree, abut_vec3 centre, double radius);
bool packed_ball_next(packed_ball_walk *walk, packed_leaf *leaf);
