#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "support/granular.h"

/*
 * A bed of balls at rest in a box with a floor and four walls, under gravity. SI units; radii vary by 5 %, so that it is no crystal.
 *
 * It is settled without friction, which packs it until every ball has about six neighbours, and then stands as well with friction, for that needs no springs
 * where nothing slides. What is measured starts from these places, at rest and without springs, in every program alike.
 */

typedef struct bed {
    int32_t count;
    double side;       /* of the box: 0 to side along x and y, floor at 0 */
    double top;        /* of the highest ball */
    double step;       /* of the integration, for everybody [s] */
    double skin;       /* [m] */
    double *radius;    /* [count] */
    abut_vec3 *centre; /* [count] */
} bed;

/* Of balls and walls; the rest of the material is that of all beds (support/granular.h). */
extern const double bed_friction, bed_restitution;

/* A settled bed, the same for the same count. False, with a message on stderr, when it does not come to rest. */
bool bed_make(int32_t count, bed *made);
void bed_free(bed *b);

/* Its world, at rest, with friction. NULL when that cannot be made. */
abut_world *bed_world(const bed *b, int32_t threads);
