#pragma once

#include <abut/base.h>
#include <abut/math.h>

/*
 * Balls at random places of a region, without overlap: random sequential addition (J. Feder, "Random sequential adsorption", 1980). Balls of one size fill up
 * to 0.3 of a large box easily; the limit is 0.38. Only sums, products and roots are used, so that every machine gives the same bits.
 */

typedef struct scatter_ball {
    abut_vec3 centre;
    double radius;
} scatter_ball;

/* A box, or a disc when its radius is above 0. */
typedef struct scatter_region {
    abut_vec3 lower, upper;  /* box: balls lie inside completely */
    double spacing;          /* least distance between balls; >= 0 */
    abut_vec3 centre;        /* disc: centres of balls lie in its plane, and balls within its radius about its axis */
    abut_vec3 along, across; /* disc: unit vectors in its plane, perpendicular to each other */
    double radius;
} scatter_region;

/* A disc with the unit normal n. */
scatter_region scatter_disc(abut_vec3 centre, abut_vec3 n, double radius);

/* How places are searched. */
typedef struct scatter_search {
    const scatter_region *region;
    int32_t tries;                                      /* for one ball */
    bool (*has_room)(void *context, scatter_ball ball); /* false where something else than a ball is in the way; NULL: nothing is */
    void *context;
} scatter_search;

/* Random numbers (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", 2014). Any state is a valid seed. */
typedef struct scatter_random {
    uint64_t state;
} scatter_random;

/* A random number, from 0 to below 1. */
double scatter_draw(scatter_random *random);

/* A random rotation; all rotations are equally likely. */
abut_quat scatter_turn(scatter_random *random);

/* The random numbers of the part `index` of something that has the seed: different parts have different numbers. */
scatter_random scatter_part(uint64_t seed, uint64_t index);

/* True when a ball of this radius fits into the region. */
bool scatter_fits(const scatter_region *region, double radius);

/*
 * Places the balls `taken` to `count` - 1, whose radii are given and fit, among the balls before them, which have places. `placed` receives the number of balls
 * with places at the end: `count`, or fewer when no place was found for one.
 * ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status scatter_balls(scatter_ball *balls, int32_t taken, int32_t count, const scatter_search *search, scatter_random *random,
                          int32_t *placed);
