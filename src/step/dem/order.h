#pragma once

#include "step/world/world.h"

/*
 * The order of balls in memory: by cells along the shortest axis of the bed, then along the next one, so that near balls are near in memory and are read in a
 * few streams. Slots say nothing of places. The order changes no sum of forces, because pairs are directed and added up by slots.
 */
typedef struct dem_order {
    int32_t *slots; /* [count] slots of the balls, ascending; a ball's index here is its rank */
    int32_t *ranks; /* [count] ranks of the balls in this order */
    int32_t *at;    /* [count] place of each rank in this order */
    int32_t count, slot_capacity, rank_capacity, at_capacity;
} dem_order;

/* Orders the balls of the world. False when there is no memory. */
bool dem_order_make(dem_order *order, const abut_world *world);

/* The order with a permutation that is known. at: [balls of the world] as dem_order.at. False when there is no memory. */
bool dem_order_take(dem_order *order, const abut_world *world, const int32_t *at);

void dem_order_release(dem_order *order);
