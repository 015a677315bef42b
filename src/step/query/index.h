#pragma once

#include <abut/world_query.h>

#include "step/world/world.h"

/*
 * The places of the bodies for queries: a tree of boxes for those that are bounded, and a list of planes. The boxes of the tree have slack, so that a body that
 * moves little does not change it. When many have left their boxes, the tree is built anew. The steppers' broad phase is no substitute: its boxes belong to the
 * last step, and the dem stepper does not keep it.
 */

typedef struct query_place {
    int32_t leaf;  /* in the tree; -1 for none */
    abut_aabb fat; /* of that leaf */
    abut_aabb box; /* bounds of the body, with room for rounding errors */
} query_place;

typedef struct query_index {
    box_tree tree;
    query_place *places; /* [place_capacity], by slot */
    int32_t place_used, place_capacity;
    box_tree_leaf *leaves; /* [leaf_capacity] in which the tree is built */
    int32_t leaf_capacity;
    int32_t *planes; /* [plane_count] slots, ascending */
    int32_t plane_count, plane_capacity;
    uint64_t placements; /* world->placements when it was brought up to date */
    bool facets;         /* some body is one of rounded triangles */
    bool ready;
} query_index;

/* An empty index. NULL when there is no memory. */
query_index *query_create(void);

/* The index of a world, brought up to date. NULL when there is no memory. */
const query_index *query_index_of(const abut_world *world);

/* How far the surface of a shape that is asked about may lie outside of its bounds, or those of the bodies outside of theirs: bodies of rounded triangles meet
 * the skins of others. INFINITY for a body of rounded triangles: then every body is asked. */
double query_overhang(const query_index *index, const abut_shape *shape);

/* Whether a filter, which may be NULL, lets a body be asked. */
bool query_accepts(const abut_world *world, const abut_query_filter *filter, int32_t slot);

/* NULL does nothing. */
void query_release(query_index *index);
