#pragma once

#include <abut/base.h>
#include <abut/math.h>

/*
 * Balls at random places of a box, none in another: random sequential addition (J. Feder, "Random sequential adsorption", 1980). Balls of one size fill
 * up to 0.3 of a large box well, and no more than 0.38 of it ever. Only sums, products and roots go into it, so that every machine gives the same bits.
 */

typedef struct scatter_ball {
    abut_vec3 centre;
    double radius;
} scatter_ball;

typedef struct scatter_box {
    abut_vec3 lower, upper; /* balls lie in it whole */
    double spacing;         /* from ball to ball, at least; >= 0 */
} scatter_box;

/* Numbers at random (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014); any state is a seed. */
typedef struct scatter_random {
    uint64_t state;
} scatter_random;

/* From 0 to below 1. */
double scatter_draw(scatter_random *random);

/* A rotation, all alike likely. */
abut_quat scatter_turn(scatter_random *random);

/* Does a ball of this radius fit into the box? */
bool scatter_fits(const scatter_box *box, double radius);

/*
 * Places the balls from `taken` to `count`, whose radii are given and fit, beside those before them, which have their places. `placed` receives the
 * number of balls that have places in the end: `count`, or fewer when for one of them no place was found.
 * ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status scatter_balls(scatter_ball *balls, int32_t taken, int32_t count, const scatter_box *box, scatter_random *random,
                          int32_t *placed);
