#pragma once

#include <abut/math.h>

/*
 * A hierarchy of axis-aligned boxes over items that do not move. It is built once, by the surface-area heuristic in O(n log n), and packed
 * in one array, left child behind its parent. Boxes have single precision, relative to the middle of all boxes, in units of about their
 * extent, and are rounded outward. A query therefore finds every item whose box it meets, and may find an item that it misses by that
 * rounding.
 */

enum { PACKED_LEAF = 4, PACKED_DEPTH = 80 };

typedef struct packed_node {
    float lower[3], upper[3];
    int32_t first; /* leaf: its first slot; else the right child */
    int32_t count; /* leaf: its number of slots, at most PACKED_LEAF; else 0 */
} packed_node;

typedef struct packed_tree {
    packed_node *node; /* [node_count], the root first; none for a tree without items */
    int32_t node_count;
    abut_vec3 middle; /* origin of the boxes */
    double scale;     /* scale of the boxes, a power of two: they lie between -1 and 1 */
} packed_tree;

/* boxes  [count], finite
 * order  [count], receives the item of each slot
 * False when there is no memory, and the tree is empty then. */
bool packed_tree_build(packed_tree *tree, const abut_aabb *boxes, int32_t count, int32_t *order);

/* A tree of the same nodes over other boxes of the same items, in O(count).
 * order  [count] as packed_tree_build() wrote it for `pattern`
 * False when there is no memory, and the tree is empty then. */
bool packed_tree_refit(packed_tree *tree, const packed_tree *pattern, const abut_aabb *boxes, int32_t count, const int32_t *order);

/* A box as the tree stores it: rounded outward. middle, scale: of the tree. */
void packed_bounds_write(const abut_aabb *box, abut_vec3 middle, double scale, float lower[3], float upper[3]);

void packed_tree_release(packed_tree *tree);

size_t packed_tree_bytes(const packed_tree *tree);

/* A range of slots: a leaf. */
typedef struct packed_leaf {
    int32_t first, count;
} packed_leaf;

static inline packed_leaf packed_leaf_of(const packed_node *node) { return (packed_leaf){node->first, node->count}; }

/* The box of a node, relative to the middle of the tree; exact. */
static inline abut_aabb packed_node_box(const packed_tree *tree, int32_t at) {
    const packed_node *node = &tree->node[at];
    const double unit = 1.0 / tree->scale;
    return (abut_aabb){{unit * (double)node->lower[0], unit * (double)node->lower[1], unit * (double)node->lower[2]},
                       {unit * (double)node->upper[0], unit * (double)node->upper[1], unit * (double)node->upper[2]}};
}

/* ---- leaves whose boxes meet a box, touching included ---- */

typedef struct packed_box_walk {
    const packed_tree *tree;
    float lower[3], upper[3];
    int32_t stack[PACKED_DEPTH], height;
} packed_box_walk;

void packed_box_begin(packed_box_walk *walk, const packed_tree *tree, abut_aabb box);
bool packed_box_next(packed_box_walk *walk, packed_leaf *leaf);

/* ---- leaves along a ray, nearly in order ---- */

typedef struct packed_ray_walk {
    const packed_tree *tree;
    double origin[3], inverse[3]; /* 1 / way, per component */
    double enters[PACKED_DEPTH];  /* the fraction at which the ray enters each node of the stack */
    int32_t stack[PACKED_DEPTH], height;
} packed_ray_walk;

void packed_ray_begin(packed_ray_walk *walk, const packed_tree *tree, abut_vec3 origin, abut_vec3 way);
/* Leaves only up to this fraction of the ray, which may shrink from call to call. */
bool packed_ray_next(packed_ray_walk *walk, double fraction, packed_leaf *leaf);

/* ---- leaves near a point, nearly in ascending order of distance ---- */

/* Transforms a point to the frame of the boxes. Returns the squared distance up to which a box may lie within `distance`, enlarged by the
 * rounding error. */
float packed_near_limit(const packed_tree *tree, abut_vec3 point, double distance, float seen[3]);

typedef struct packed_near_walk {
    const packed_tree *tree;
    float point[3];
    int32_t stack[PACKED_DEPTH], height;
    float square[PACKED_DEPTH]; /* squared distances of the entries of stack */
} packed_near_walk;

void packed_near_begin(packed_near_walk *walk, const packed_tree *tree, abut_vec3 point);
/* Leaves only nearer than this distance, which may shrink from call to call. */
bool packed_near_next(packed_near_walk *walk, double distance, packed_leaf *leaf);
