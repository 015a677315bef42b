#pragma once

#include "step/world/world.h"

/* Pairs of bodies whose joint keeps them from colliding. Zero-initialise. */
typedef struct parted_list {
    uint64_t *keys; /* [count] ascending */
    int32_t count, capacity;
} parted_list;

/* False when there is no memory. */
bool parted_make(parted_list *list, const abut_world *world);

/* Whether the pair is in the list. */
bool parted_has(const parted_list *list, const broad_pair *pair);

void parted_release(parted_list *list);
