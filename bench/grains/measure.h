#pragma once

#include "grains/bed.h"
#include "support/block_times.h"

/* The result of a program on a bed. */
typedef struct measurement {
    const char *program;
    const char *bodies_are;                    /* "balls", "pebbles", "icosahedra", ... */
    int32_t bodies, triangles, threads, steps; /* triangles: of a body, 0 for a sphere; steps: in one block */
    bool own;                                  /* one shape per body */
    block_times times;
    double neighbours; /* bodies that touch a body, without walls, at the end */
    double contacts;   /* contacts between bodies, divided by the number of bodies; 0: unknown */
    double kinetic;    /* kinetic energy of a body divided by its weight times its radius, at the end */
    double memory;     /* bytes per body, with its share of the shapes; 0: unknown */
    int64_t lists;     /* number of rebuilds of the list of near pairs in all blocks; -1: unknown */
    uint64_t hash;     /* of abut's final state; else 0 */
} measurement;

/* Body steps per second of processor time, and of wall time, from medians. */
double measurement_rate(const measurement *m);
double measurement_wall_rate(const measurement *m);

/* Adds the blocks of one run to m. When m->steps is 0, it is set so that a block takes about this number of seconds. False, with a message
 * on stderr, when the run fails. */
bool measure_abut(const bed *b, const bed_look *look, double seconds, measurement *m);
