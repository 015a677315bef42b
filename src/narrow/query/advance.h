#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"
#include "narrow/query/swept_cylinder.h"

/*
 * Conservative advancement (Mirtich; Zhang, Lee and Kim for convex bodies). It finds lower bounds of the time of first touch of two moving
 * bodies, step by step until they touch.
 *
 * All vectors have the axes of the world. Each body is described from the origin of its own frame, about which it turns. Fractions are
 * fractions of the whole motion, 0 to 1. Gaps are signed and measured along normals from B into A.
 */

/* A convex body that turns about its frame's origin. */
typedef struct mover {
    convex start;         /* its initial placement, from its body's origin */
    abut_vec3 turn;       /* rotation vector of the whole motion [rad] */
    abut_vec3 axis;       /* unit, along `turn`; zero for a body that does not turn */
    double angle;         /* length of `turn` [rad] */
    double radius;        /* radius of a ball about the origin that contains the core */
    swept_cylinder swept; /* about the axis; measures steps */
    swept_hull snug;      /* the same, smaller; proves that there is no touch */
} mover;

/* start: placed with the body frame's initial rotation, and with its origin at zero */
mover mover_make(const convex *start, abut_vec3 turn);

/* The rotation at a fraction of a rotation vector. */
abut_mat3 mover_turned(abut_vec3 turn, double fraction);

/* The body at a fraction of its motion. origin: its frame's origin then. */
convex mover_place(const mover *m, abut_vec3 origin, double fraction);

/* A moving body A, and a moving body or plane B. */
typedef struct moving_pair {
    mover a, b;
    bool plane;        /* B is a plane; only b.turn is used */
    abut_vec3 outward; /* its initial unit normal */
    double offset;     /* offset along the normal, from its body's origin */
    abut_vec3 apart;   /* from A's origin to B's, initially */
    abut_vec3 travel;  /* change of `apart` over the whole motion */
    normal_settings settings;
} moving_pair;

typedef enum advance_outcome {
    ADVANCE_MISS,
    ADVANCE_HIT,
    ADVANCE_LIMIT, /* undecided within the maximum number of steps; `fraction` is safe */
    ADVANCE_PARTED /* only from advance_below(): the bodies are no longer near */
} advance_outcome;

typedef struct advance_end {
    advance_outcome outcome;
    double fraction;
    bool touching; /* at a hit: the gap is not positive */
    int32_t steps;
} advance_end;

/*
 * Advances until the gap is at most `tolerance` or the fraction `end` is reached. A pair that starts within the tolerance, or touching, is
 * a hit only once its gap decreases; it is no hit while it stays or parts. The pair must not start deeper than touching.
 */
advance_end advance(const moving_pair *pair, double tolerance, double end);

/* The same from the fraction `begin` on, but a pair within the tolerance is a hit there, too. For bodies that are one of many. */
advance_end advance_near(const moving_pair *pair, double begin, double tolerance, double end);

/* Starts at the fraction `begin`, where the bodies are near with a gap above `level`. Ends when the gap falls below the level (a hit) or
 * the bodies are no longer near. The fraction of a hit is the last one at which the gap was no smaller than at the beginning. */
advance_end advance_below(const moving_pair *pair, double begin, double tolerance, double level, double end);

/* Advances until the bodies are `depth` deep, within a twentieth of it. No hit if they are deeper at the start. depth > 0; settings.minimum must be true. */
advance_end advance_to_depth(const moving_pair *pair, double depth, double end);

/* The gap at a fraction. *noise: its rounding error. */
double advance_gap(const moving_pair *pair, double fraction, double *noise);
