#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "support/granular.h"

/*
 * A bed of bodies of rounded triangles at rest in a box with a floor and four walls, under gravity. SI units; five sizes, at most 5 % from
 * the middle one, so that the bed does not crystallise.
 *
 * Balls: a ball of rounded triangles equals that ball for any mesh. Therefore a bed of spheres is settled, and its positions and forces are
 * those of the meshed balls, which are turned at random. Pebbles (axes 1.15 : 1 : 0.85) take the spheres' places with a little room around
 * them and settle once more.
 */

typedef enum grain_kind { GRAIN_BALL, GRAIN_PEBBLE } grain_kind;

enum { BED_SIZES = 5, BED_SPHERES = -1 };

typedef struct bed {
    grain_kind kind;
    int32_t count;
    double side;     /* of the box: 0 to side along x and y, floor at 0 */
    double step;     /* of the integration [s] */
    int32_t *size;   /* [count] */
    abut_pose *pose; /* [count] */
} bed;

/* The shapes of its bodies: 20 * 4^level triangles, or plain spheres (BED_SPHERES); one shape for each size, or one for each body. */
typedef struct bed_look {
    int level;
    bool own;
    int32_t threads;
} bed_look;

/* A settled bed, the same for the same arguments. level: mesh with which pebbles come to rest. False, with a message on stderr, when it
 * does not come to rest or the stepper rejects such bodies. */
bool bed_make(grain_kind kind, int32_t count, int level, bed *made);
void bed_free(bed *b);

/* Its world, at rest, with friction. NULL, with a message on stderr, on failure. */
abut_world *bed_world(const bed *b, const bed_look *look);

/* `user` of all bodies except walls. */
enum { BED_GRAIN = 1 };
