#pragma once

#include <abut/math.h>

/*
 * A tree of boxes over points that answers "which point lies farthest along a direction" without looking at all of them. Needs nothing of
 * the points: they need not be convex.
 */

typedef struct point_tree {
    const abut_vec3 *points; /* the caller's */
    int32_t *index;          /* the points, sorted so that every node's are neighbours */
    abut_aabb *box;          /* of the nodes: a complete binary tree, children of i are 2 i + 1 and 2 i + 2 */
    int32_t count, levels;
} point_tree;

/* Over points[subset[i]], 0 <= i < count, or over points[i] when subset is NULL. count >= 1; points must outlive the tree.
 * ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status point_tree_make(point_tree *tree, const abut_vec3 *points, const int32_t *subset, int32_t count);

/* The point with the largest direction . point, provided that exceeds `bound`; else -1 and *height is the bound. */
int32_t point_tree_farthest(const point_tree *tree, abut_vec3 direction, double bound, double *height);

void point_tree_release(point_tree *tree);
