#pragma once

#include "dem/bed.h"
#include "support/block_times.h"

/* What a program made of a bed. */
typedef struct measurement {
    const char *name;
    int32_t threads, bodies, steps; /* steps: in one block */
    block_times times;
    double neighbours;              /* balls that touch a ball, walls not counted, at the end */
    double kinetic;                 /* energy of motion of a ball over its weight times its radius, at the end */
    double memory;                  /* bytes for a ball */
    int64_t lists;                  /* times near pairs were listed in all blocks; -1: unknown */
    uint64_t hash;                  /* of abut's last state; else 0 */
} measurement;

/* Million steps of a ball in a second of processor time, and of the clock, from medians. */
double measurement_rate(const measurement *m);
double measurement_wall_rate(const measurement *m);

/* d log(time of a step) / d log(balls) between two runs. */
double measurement_growth(const measurement *small, const measurement *large);

/* How a bed is run: first a while untimed, in which friction's springs come to bear, then block by block. */
typedef struct effort {
    int32_t warm_up, steps, blocks;
} effort;

/* Adds to m the blocks of one run. False, with a message on stderr, when it fails. */
bool measure_abut(const bed *b, const effort *e, int32_t threads, measurement *m);
