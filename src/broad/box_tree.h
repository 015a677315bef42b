#pragma once

#include <abut/math.h>

#include "base/real.h"

/*
 * A height-balanced binary tree of axis-aligned boxes. Leaves are the caller's items; the box of an inner node is the union of its
 * children's boxes. The shape of the tree depends on the order of calls; the leaves that a query finds do not.
 *
 * Only box_tree_reserve() allocates memory: no other call can fail.
 */

typedef struct box_tree_node {
    abut_aabb box;
    int32_t parent;   /* -1 at the root; in a free node: the next free node */
    int32_t child[2]; /* -1 in leaves */
    int32_t height;   /* 0 in leaves */
    int32_t item;     /* leaves: the caller's item */
} box_tree_node;

/* Starts as box_tree_empty(). */
typedef struct box_tree {
    box_tree_node *nodes;
    int32_t capacity;   /* in nodes */
    int32_t used;       /* nodes[used] and above have never been used */
    int32_t free_first; /* list of freed nodes; -1 for none */
    int32_t root;       /* -1 while the tree is empty */
} box_tree;

/* Called for every leaf found. Returning false ends the query. */
typedef bool box_tree_visit(void *context, int32_t item);

box_tree box_tree_empty(void);
void box_tree_release(box_tree *boxes);

/* Makes room for this number of leaves in total. False when there is no memory; the tree is then unchanged. */
bool box_tree_reserve(box_tree *boxes, int32_t leaves);

/* Adds a leaf and returns its node, which does not change until the leaf is removed. Room must have been reserved. */
int32_t box_tree_insert(box_tree *boxes, int32_t item, abut_aabb box);
void box_tree_remove(box_tree *boxes, int32_t leaf);

/* A leaf of a tree that is built at once. */
typedef struct box_tree_leaf {
    abut_aabb box;
    int32_t item;
    int32_t node;     /* set by the call: as from box_tree_insert() */
    double centre[3]; /* set by the call */
} box_tree_leaf;

/* Makes a tree of these leaves, which takes the place of all that were there. It has less to search than one that grew leaf by leaf, and takes O(n log n).
 * Items must differ. Room must have been reserved. The leaves change their order. */
void box_tree_build(box_tree *boxes, box_tree_leaf *leaves, int32_t count);

/* Visits every leaf whose box meets the given box, touching included. False when visit ended the query. */
bool box_tree_query(const box_tree *boxes, abut_aabb box, box_tree_visit *visit, void *context);

/* The least value that items in a box can have for the caller; INFINITY for a box that has none. It does not fall when the box shrinks. */
typedef double box_tree_bound(void *context, const abut_aabb *box);

/* Called for a leaf. Returns the limit from now on; leaves with a higher bound are left out. */
typedef double box_tree_offer(void *context, int32_t item);

/* Offers the leaves, those with low bounds first as far as the tree tells. Every leaf whose bound is at most the limit at the end is offered. */
void box_tree_search(const box_tree *boxes, double limit, box_tree_bound *bound, box_tree_offer *offer, void *context);

static inline bool aabb_meets(abut_aabb p, abut_aabb q) {
    return p.lower.x <= q.upper.x && q.lower.x <= p.upper.x && p.lower.y <= q.upper.y && q.lower.y <= p.upper.y && p.lower.z <= q.upper.z &&
           q.lower.z <= p.upper.z;
}

/* True when the box, which may be infinite, reaches below the surface of the half-space normal . x <= offset. The corner farthest against the normal
 * decides. */
static inline bool aabb_meets_half_space(abut_aabb box, abut_vec3 normal, double offset) {
    double x = normal.x > 0.0 ? normal.x * box.lower.x : normal.x < 0.0 ? normal.x * box.upper.x : 0.0;
    double y = normal.y > 0.0 ? normal.y * box.lower.y : normal.y < 0.0 ? normal.y * box.upper.y : 0.0;
    double z = normal.z > 0.0 ? normal.z * box.lower.z : normal.z < 0.0 ? normal.z * box.upper.z : 0.0;
    return x + y + z <= offset;
}

static inline bool aabb_contains(abut_aabb outer, abut_aabb inner) {
    return outer.lower.x <= inner.lower.x && inner.upper.x <= outer.upper.x && outer.lower.y <= inner.lower.y &&
           inner.upper.y <= outer.upper.y && outer.lower.z <= inner.lower.z && inner.upper.z <= outer.upper.z;
}

static inline abut_aabb aabb_union(abut_aabb p, abut_aabb q) {
    abut_aabb box = {
        abut_vec3_make(real_min_number(p.lower.x, q.lower.x), real_min_number(p.lower.y, q.lower.y), real_min_number(p.lower.z, q.lower.z)),
        abut_vec3_make(real_max_number(p.upper.x, q.upper.x), real_max_number(p.upper.y, q.upper.y),
                       real_max_number(p.upper.z, q.upper.z))};
    return box;
}

/* The box grown by the distance on all sides. */
static inline abut_aabb aabb_grown(abut_aabb box, double distance) {
    abut_vec3 margin = abut_vec3_make(distance, distance, distance);
    abut_aabb grown = {abut_sub(box.lower, margin), abut_add(box.upper, margin)};
    return grown;
}
