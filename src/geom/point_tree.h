#pragma once

#include <abut/math.h>

/*
 * A tree of boxes over points for support queries: it finds the farthest point along a direction without testing all of them. The points
 * need not be convex.
 */

typedef struct point_tree {
    const abut_vec3 *points; /* owned by the caller */
    int32_t *index;          /* the points, sorted so that those of a node are neighbours */
    abut_aabb *box;          /* boxes of the nodes: a complete binary tree, children of i are 2 i + 1 and 2 i + 2 */
    int32_t count, levels;
} point_tree;

/* Over points[subset[i]], 0 <= i < count, or over points[i] when subset is NULL. count >= 1; points must outlive the tree.
 * ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status point_tree_make(point_tree *tree, const abut_vec3 *points, const int32_t *subset, int32_t count);

/* The point with the largest direction . point if it exceeds `bound`; else -1, and *height is the bound. */
int32_t point_tree_farthest(const point_tree *tree, abut_vec3 direction, double bound, double *height);

void point_tree_release(point_tree *tree);
