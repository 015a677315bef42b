#pragma once

#include "narrow/normal/normal.h"

/*
 * Conservative advancement (Mirtich; Zhang, Lee and Kim for convex bodies): of two moving bodies, how far into the motion they may go at
 * least before they touch, step by step until they do.
 *
 * Everything here has the axes of the world, and each body is seen from the origin of its own frame, about which it turns. Fractions are
 * of the whole motion.
 */

/* A convex body that turns. */
typedef struct mover {
    convex start;    /* where it is at first, from its body's origin */
    abut_vec3 turn;  /* rotation vector of the whole motion */
    abut_vec3 axis;  /* its direction; zero for a body that does not turn */
    double angle;    /* and its length */
    double reach;     /* the core lies within a cylinder about the axis: of this radius, */
    double low, high; /* between these heights; */
    double radius;    /* and within a ball about the origin */
} mover;

/* start: placed with the body's frame turned as it is at first, and its origin at zero */
mover mover_make(const convex *start, abut_vec3 turn);

/* What a turn has done at a fraction of it. */
abut_mat3 mover_turned(abut_vec3 turn, double fraction);

/* The body at a fraction of its motion, its frame's origin given. */
convex mover_place(const mover *m, abut_vec3 origin, double fraction);

/* A moving body A, and a moving body or plane B. */
typedef struct moving_pair {
    mover a, b;
    bool plane;        /* B is a plane: of b only the turn counts */
    abut_vec3 outward; /* its normal at first */
    double offset;     /* from its body's origin along the normal */
    abut_vec3 apart;   /* from A's origin to B's at first */
    abut_vec3 travel;  /* how that changes over the whole motion */
    normal_settings settings;
} moving_pair;

typedef enum advance_outcome {
    ADVANCE_MISS,
    ADVANCE_HIT,
    ADVANCE_LIMIT, /* neither was found within the bound of steps; `fraction` is safe */
    ADVANCE_PARTED /* of advance_below(): they are near no more */
} advance_outcome;

typedef struct advance_end {
    advance_outcome outcome;
    double fraction;
    bool touching; /* at a hit: no gap is left, as far as rounding tells */
    int32_t steps;
} advance_end;

/*
 * Until the gap is at most `tolerance`, or the fraction `end` is reached. A pair that begins so near, or touches, is hit when it comes
 * nearer, not while it stays or parts. The pair must not begin deeper in each other than touching.
 */
advance_end advance(const moving_pair *pair, double tolerance, double end);

/* The same from the fraction `begin` on, but near is near, also there: for bodies that are one of many. */
advance_end advance_near(const moving_pair *pair, double begin, double tolerance, double end);

/* From the fraction `begin` on, where they are near, until they come nearer than the level, above which they are there, or are near no more. The fraction
 * of a hit is the last at which they were no nearer than at the beginning. */
advance_end advance_below(const moving_pair *pair, double begin, double tolerance, double level, double end);

/* The gap at a fraction, and what rounding does to it. */
double advance_gap(const moving_pair *pair, double fraction, double *noise);
