#pragma once

#include "geom/packed_tree.h"

/*
 * Finds the boxes that meet a box, among many, in ascending order: for loops over items of which most are far away. A loop over the items found does the same
 * as one over all items that tests their boxes first.
 */

enum { BOX_INDEX_ROOM = 128 };

typedef struct box_index {
    packed_tree tree;
    int32_t *order; /* the item of each slot of the tree */
    int32_t count;
} box_index;

/* The items found, in ascending order; or all items, where more are found than there is room for. */
typedef struct box_hits {
    int32_t count;
    bool all; /* then item i is i */
    int32_t item[BOX_INDEX_ROOM];
} box_hits;

/* boxes  [count] finite. False when there is no memory, and the index is empty then. */
bool box_index_make(box_index *index, const abut_aabb *boxes, int32_t count);
void box_index_release(box_index *index);

/* Finds all items whose boxes meet the box, touching included, and possibly others. */
void box_index_find(const box_index *index, abut_aabb box, box_hits *hits);

static inline int32_t box_hits_item(const box_hits *hits, int32_t i) { return hits->all ? i : hits->item[i]; }
