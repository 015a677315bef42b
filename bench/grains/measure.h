#pragma once

#include "grains/bed.h"
#include "support/block_times.h"

/* What a program made of a bed. */
typedef struct measurement {
    const char *program;
    const char *bodies_are;                    /* "balls", "pebbles", "icosahedra", ... */
    int32_t bodies, triangles, threads, steps; /* triangles: of a body, 0 for a sphere; steps: in one block */
    bool own;                                  /* a shape for each body */
    block_times times;
    double neighbours;       /* bodies that touch a body, walls not counted, at the end */
    double contacts;         /* of bodies that touch, for a body: half a contact for each of the two; 0: unknown */
    double kinetic;          /* energy of motion of a body over its weight times its radius, at the end */
    double memory;           /* bytes for a body, with its share of the shapes; 0: unknown */
    int64_t lists;           /* times near pairs were listed in all blocks; -1: unknown */
    uint64_t hash;           /* of abut's last state; else 0 */
} measurement;

/* Steps of a body in a second of processor time, and of the clock, from medians. */
double measurement_rate(const measurement *m);
double measurement_wall_rate(const measurement *m);

/* Adds to m the blocks of one run, each of about so many seconds when m->steps is 0, which is then set; else of m->steps. False, with a message on stderr,
 * when it fails. */
bool measure_abut(const bed *b, const bed_look *look, double seconds, measurement *m);
