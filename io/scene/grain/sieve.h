#pragma once

#include "io/scene/grain/scatter.h"
#include "io/scene/read.h"

/*
 * Sizes of grains, as a sieve analysis gives them: for each size the share of the grains that is not larger, by number or by mass. The size of a ball is its
 * diameter. Mass is that of balls of one density. Every machine draws the same bits.
 */

/* A curve. Between two points the share grows in proportion to the size. Two points of one size are a step: all grains of that share have that size. */
typedef struct sieve {
    bool by_mass;    /* shares are those of the mass, else of the number */
    double *sizes;   /* [count] not falling [length] */
    double *reached; /* [count] number of grains up to each size, in any unit */
    int32_t count;   /* of points, at least 2 */
} sieve;

/* A normal distribution of the size, or of its logarithm, between bounds. */
typedef struct sieve_normal {
    bool logarithmic;
    double middle;      /* mean; of a logarithmic one the median [length] */
    double deviation;   /* standard deviation [length]; of a logarithmic one that of the natural logarithm of the size */
    double least, most; /* 0 < least < most [length] */
} sieve_normal;

/* Reads "sizes", at `place`. *made is to be released, also after an error. */
abut_status sieve_read(const scene_reader *reader, const scene_place *place, sieve *made);

/*
 * Makes a curve from its points.
 * sizes, shares: [count >= 2] sizes above 0 and not falling; shares not falling, the last above the first. *made is to be released, also after an error.
 * ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_NOT_FINITE when the sizes are too far from each other.
 */
abut_status sieve_make_curve(const double *sizes, const double *shares, int32_t count, bool by_mass, sieve *made);

/*
 * Makes a curve of 1024 parts from a normal distribution, up to eight deviations from its middle. *made is to be released, also after an error.
 * As sieve_make_curve(); ABUT_ERROR_DEGENERATE when the bounds leave no size within eight deviations.
 */
abut_status sieve_make_normal(const sieve_normal *normal, bool by_mass, sieve *made);

/* The largest size. */
double sieve_most(const sieve *sieve);

/* A random size. */
double sieve_draw(const sieve *sieve, scatter_random *random);

void sieve_release(sieve *sieve);
