/* Boxes that meet a box, in ascending order: see box_index.h. */
#include "geom/box_index.h"

#include "base/memory.h"

bool box_index_make(box_index *index, const abut_aabb *boxes, int32_t count) {
    *index = (box_index){.order = memory_allocate((size_t)count, sizeof *index->order), .count = count};
    if (index->order == NULL || !packed_tree_build(&index->tree, boxes, count, index->order)) {
        box_index_release(index);
        return false;
    }
    return true;
}

void box_index_release(box_index *index) {
    packed_tree_release(&index->tree);
    memory_release(index->order);
    *index = (box_index){0};
}

/* Keeps the order. There is room. */
static void insert(box_hits *hits, int32_t item) {
    int32_t at = hits->count++;
    for (; at > 0 && hits->item[at - 1] > item; --at) {
        hits->item[at] = hits->item[at - 1];
    }
    hits->item[at] = item;
}

void box_index_find(const box_index *index, abut_aabb box, box_hits *hits) {
    packed_box_walk walk;
    packed_leaf leaf;
    hits->count = 0;
    hits->all = false;
    packed_box_begin(&walk, &index->tree, box);
    while (packed_box_next(&walk, &leaf)) {
        if (leaf.count > BOX_INDEX_ROOM - hits->count) {
            hits->all = true;
            hits->count = index->count;
            return;
        }
        for (int32_t i = leaf.first; i < leaf.first + leaf.count; ++i) {
            insert(hits, index->order[i]);
        }
    }
}
