#include "step/fixed/parted.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/memory.h"

static uint64_t key_of(int32_t a, int32_t b) { return a < b ? (uint64_t)a << 32 | (uint64_t)b : (uint64_t)b << 32 | (uint64_t)a; }

static int ascending(const void *p, const void *q) {
    uint64_t a = *(const uint64_t *)p, b = *(const uint64_t *)q;
    return a < b ? -1 : a > b;
}

bool parted_make(parted_list *list, const abut_world *world) {
    list->count = 0;
    if (!array_reserve(&list->keys, &list->capacity, world->joint_used, sizeof *list->keys)) {
        return false;
    }
    for (int32_t i = 0; i < world->joint_used; i++) {
        const world_joint *joint = &world->joints[i];
        if (joint_acts(joint) && !joint->def.collide) {
            list->keys[list->count++] = key_of(joint->a, joint->b);
        }
    }
    if (list->count > 1) {
        qsort(list->keys, (size_t)list->count, sizeof *list->keys, ascending);
    }
    return true;
}

bool parted_has(const parted_list *list, const broad_pair *pair) {
    uint64_t key = key_of(pair->a, pair->b);
    int32_t low = 0, high = list->count;
    while (low < high) {
        int32_t middle = low + (high - low) / 2;
        if (list->keys[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < list->count && list->keys[low] == key;
}

void parted_release(parted_list *list) { memory_release(list->keys); }
