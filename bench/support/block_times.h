#pragma once

#include <stdint.h>
#include <stdio.h>

/*
 * Times of equal blocks of steps: processor time, which other programs do not stretch, and time of the clock. Both in microseconds for one
 * step of one body.
 */

enum { BLOCK_TIMES = 64 };

typedef struct block_times {
    int32_t count;
    double processor[BLOCK_TIMES], wall[BLOCK_TIMES];
} block_times;

/* When a block began [s]. */
typedef struct block_start {
    double processor, wall;
} block_start;

block_start block_begin(void);
/* Adds the block that ends now, of this number of steps of this number of bodies. */
void block_end(block_times *times, const block_start *start, int32_t steps, int32_t bodies);
/* Adds a block that took these times [s]. Nothing when BLOCK_TIMES are there. */
void block_add(block_times *times, double processor, double wall, int32_t steps, int32_t bodies);

/* Medians [us]. */
double block_processor(const block_times *times);
double block_wall(const block_times *times);

/* Writes `, "processor_us": {...}, "wall_us": {...}` with medians and percentiles. */
void block_put(FILE *json, const block_times *times);
