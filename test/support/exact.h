#pragma once

#include "support/check.h"

/*
 * Defines when the contact of two convex polytopes is exact, and checks this for thousands of samples.
 *
 * ABUT_NORMAL_MINIMUM promises the least translation that separates two overlapping bodies. The oracle computes it from all facets of the Minkowski difference.
 * These do not depend on A's position, so one enumeration serves many positions of A.
 */

/* How a solid is given to the library. */
typedef enum exact_maker { EXACT_POLYTOPE, EXACT_BOX, EXACT_HULL } exact_maker;

typedef struct exact_body {
    solid surface;
    exact_maker maker;
    abut_vec3 half; /* of a box */
} exact_body;

exact_body exact_box(abut_vec3 half);
/* These calls take ownership of the solid. EXACT_HULL becomes EXACT_POLYTOPE in a build without hulls. */
exact_body exact_polytope(solid surface);
exact_body exact_hull(solid surface);
abut_shape *exact_shape(const exact_body *body);

/* Two bodies with fixed rotations, B at a fixed position. */
typedef struct exact_pair {
    exact_body a, b;
    abut_shape *shape_a, *shape_b;
    abut_pose pose_a, pose_b;
    oracle_body oracle_a, oracle_b;
    abut_vec3 reference;  /* A's position with coinciding centroids */
    oracle_facets facets; /* with A there */
    double size;          /* largest distance of a point of the larger body from its origin: tolerances are relative to it */
    double small;         /* diameter of the smaller of two balls, one inside each body about its centroid */
    double concentric;    /* least depth with coinciding centroids */
    oracle_axis least;    /* where A is now */
    bool tied;            /* another normal is equally good, within rounding error */
    bool delicate;        /* features are so nearly parallel that rounding decides where they meet: only depths are compared */
} exact_pair;

/* Takes ownership of the bodies. The centroids of A and B coincide. */
exact_pair exact_open(exact_body a, abut_quat rotation_a, exact_body b, abut_pose pose_b);
/* Both have random rotations; B is within 1 m of the origin. */
exact_pair exact_open_at_random(exact_body a, exact_body b, random_state *random);
void exact_close(exact_pair *pair);

/* Moves A's frame to this position. */
void exact_put(exact_pair *pair, abut_vec3 position);

/* A's position when it approaches from this direction, with its centroid towards B's, and stops at the given separation, but no nearer than nearly
 * concentric. */
abut_vec3 exact_position(const exact_pair *pair, abut_vec3 direction, double separation);

/* The ten kinds of positions: shallow, medium, deep, concentric within rounding error, barely overlapping, touching, barely apart, apart. */
enum { EXACT_PLACES = 10 };
abut_vec3 exact_random_position(const exact_pair *pair, random_state *random, int32_t kind);

/* The nearest multiple of 2^-30 in every coordinate. */
abut_vec3 exact_binary(abut_vec3 position);

/* The tolerance of a depth: 1e-9 of the depth or 1e-13 of the size, whichever is larger. */
double exact_tolerance(double depth, double size);

/* Results over many samples. Initialise with zero. */
typedef struct exact_record {
    int32_t samples, overlaps, apart, exact; /* exact: number of overlaps with the least depth */
    double worst;                            /* largest depth found over the least depth */
    tally failures;
} exact_record;

/* Checks one sample: overlap or none as expected, the least depth, the certificate, and all invariants of the contacts, for either policy; the distance for
 * bodies apart. */
void exact_check(exact_record *record, const exact_pair *pair);
/* The same pair exchanged, moved, mirrored, and scaled by 1e-3 and 1e3 gives the same contacts. */
void exact_symmetries(exact_record *record, const exact_pair *pair, random_state *random);
/* The same pair 2^20 m away gives the same contacts. The positions must be multiples of 2^-30 m, so that they stay exact. */
void exact_far_away(exact_record *record, const exact_pair *pair);
/* Prints the record, and fails the test if there are failures. */
void exact_end(const char *name, const exact_record *record);
