#pragma once

#include "dem/bed.h"
#include "support/block_times.h"

/* The result of a program on a bed. */
typedef struct measurement {
    const char *name;
    int32_t threads, bodies, steps; /* steps: in one block */
    block_times times;
    double neighbours; /* balls that touch a ball, without walls, at the end */
    double kinetic;    /* kinetic energy of a ball divided by its weight times its radius, at the end */
    double memory;     /* bytes for a ball */
    int64_t lists;     /* number of rebuilds of the list of near pairs in all blocks; -1: unknown */
    uint64_t hash;     /* of abut's final state; else 0 */
} measurement;

/* Million ball steps per second of processor time, and of wall time, from medians. */
double measurement_rate(const measurement *m);
double measurement_wall_rate(const measurement *m);

/* d log(time of a step) / d log(balls) between two runs. */
double measurement_growth(const measurement *small, const measurement *large);

/* How a bed is run: an untimed warm-up, in which friction springs are loaded, then timed blocks. */
typedef struct effort {
    int32_t warm_up, steps, blocks;
} effort;

/* Adds the blocks of one run to m. False, with a message on stderr, when the run fails. */
bool measure_abut(const bed *b, const effort *e, int32_t threads, measurement *m);
