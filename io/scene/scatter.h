#pragma once

#include <abut/base.h>
#include <abut/math.h>

/*
 * Balls at random places of a box, without overlap: random sequential addition (J. Feder, "Random sequential adsorption", 1980). Balls of one size fill up to
 * 0.3 of a large box easily; the limit is 0.38. Only sums, products and roots are used, so that every machine gives the same bits.
 */

typedef struct scatter_ball {
    abut_vec3 centre;
    double radius;
} scatter_ball;

typedef struct scatter_box {
    abut_vec3 lower, upper; /* balls lie inside completely */
    double spacing;         /* least distance between balls; >= 0 */
} scatter_box;

/* Random numbers (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014). Any state is a valid seed. */
typedef struct scatter_random {
    uint64_t state;
} scatter_random;

/* A random number, from 0 to below 1. */
double scatter_draw(scatter_random *random);

/* A random rotation; all rotations are equally likely. */
abut_quat scatter_turn(scatter_random *random);

/* True when a ball of this radius fits into the box. */
bool scatter_fits(const scatter_box *box, double radius);

/*
 * Places the balls `taken` to `count` - 1, whose radii are given and fit, among the balls before them, which have places. `placed` receives the number of balls
 * with places at the end: `count`, or fewer when no place was found for one.
 * ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status scatter_balls(scatter_ball *balls, int32_t taken, int32_t count, const scatter_box *box, scatter_random *random,
                          int32_t *placed);
