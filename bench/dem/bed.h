#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "support/granular.h"

/*
 * A bed of balls at rest in a box with a floor and four walls, under gravity. SI units; radii vary by 5 %, so that the bed does not
 * crystallise.
 *
 * It settles without friction, which packs it until every ball has about six neighbours. It then also stays at rest with friction, because
 * nothing slides and no springs are needed. All programs start from these positions, at rest and without springs.
 */

typedef struct bed {
    int32_t count;
    double side;       /* of the box: 0 to side along x and y, floor at 0 */
    double top;        /* of the highest point of a ball */
    double step;       /* of the integration, the same for all programs [s] */
    double skin;       /* [m] */
    double *radius;    /* [count] */
    abut_vec3 *centre; /* [count] */
} bed;

/* For balls and walls; support/granular.h has the other constants. */
extern const double bed_friction, bed_restitution;

/* A settled bed, the same for the same count; or a loose one, which falls, with its balls in random order. False, with a message on stderr, when it does
 * not come to rest. */
bool bed_make(int32_t count, bool loose, bed *made);
void bed_free(bed *b);

/* Its world, at rest, with friction. NULL on failure. */
abut_world *bed_world(const bed *b, int32_t threads);
