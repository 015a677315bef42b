#pragma once

#include "step/fixed/layout.h"

/*
 * Several threads solve a large island together. For this its pairs are sorted by colour: two pairs of one colour share no moving body. The order
 * depends on the island alone, not on the threads.
 */

/* Zero-initialise. */
typedef struct island_colours {
    uint64_t *used;             /* by state: one bit for each colour of its pairs */
    int32_t *order;             /* pairs of the island at hand */
    int32_t *chunks, *firsts;   /* of all schedules, one after the other */
    int32_t *turns;             /* beside chunks */
    solver_progress *progress;  /* beside chunks */
    solver_schedule *schedules; /* one for each large island */
    int32_t chunk_count, used_capacity, order_capacity, chunk_capacity, turn_capacity, first_capacity, progress_capacity, schedule_capacity;
} island_colours;

/* After layout_make() and before the layout is filled: give the pairs of large islands new places, and each large island its schedule. False when there is
 * no memory. */
bool colours_make(island_colours *colours, island_layout *layout, const abut_world *world);

void colours_release(island_colours *colours);
