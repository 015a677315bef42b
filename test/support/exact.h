#pragma once

#include "support/check.h"

/*
 * What it means that the contact of two convex polytopes is exact, and how thousands of samples are held to it.
 *
 * ABUT_NORMAL_MINIMUM promises the least translation that separates two overlapping bodies. The referee knows it from all facets of the
 * Minkowski difference; these do not depend on where A is, so that one enumeration serves any number of places of A.
 */

/* How the library is given a solid. */
typedef enum exact_maker { EXACT_POLYTOPE, EXACT_BOX, EXACT_HULL } exact_maker;

typedef struct exact_body {
    solid surface;
    exact_maker maker;
    abut_vec3 half; /* of a box */
} exact_body;

exact_body exact_box(abut_vec3 half);
/* These take the solid over. EXACT_HULL falls back on EXACT_POLYTOPE in a build without hulls. */
exact_body exact_polytope(solid surface);
exact_body exact_hull(solid surface);
abut_shape *exact_shape(const exact_body *body);

/* Two bodies at fixed rotations, B at a fixed place. */
typedef struct exact_pair {
    exact_body a, b;
    abut_shape *shape_a, *shape_b;
    abut_pose pose_a, pose_b;
    oracle_body oracle_a, oracle_b;
    abut_vec3 reference;  /* A's position with centroid on centroid */
    oracle_facets facets; /* with A there */
    double size;          /* reach of the larger body: tolerances are relative to it */
    double small;         /* diameter of the smaller of two balls inside the bodies about their centroids */
    double concentric;    /* least depth with centroid on centroid */
    oracle_axis least;    /* where A is now */
    bool tied;            /* another normal is as good, within rounding */
    bool delicate;        /* features are so nearly parallel that rounding decides which of them meet where: only how deep is compared */
} exact_pair;

/* Takes the bodies over. A is centroid on centroid with B. */
exact_pair exact_open(exact_body a, abut_quat rotation_a, exact_body b, abut_pose pose_b);
/* Both turned at random, B within 1 m of the origin. */
exact_pair exact_open_at_random(exact_body a, exact_body b, random_state *random);
void exact_close(exact_pair *pair);

/* A's frame to this position. */
void exact_put(exact_pair *pair, abut_vec3 position);

/* Where A goes so that it comes from this direction, its centroid towards B's, until the pair's separation is as given; no nearer than
 * nearly concentric. */
abut_vec3 exact_position(const exact_pair *pair, abut_vec3 direction, double separation);

/* The ten kinds of places: shallow, medium, deep, concentric within rounding, barely overlapping, touching, barely apart, apart. */
enum { EXACT_PLACES = 10 };
abut_vec3 exact_random_position(const exact_pair *pair, random_state *random, int32_t kind);

/* The nearest multiple of 2^-30 in every coordinate. */
abut_vec3 exact_binary(abut_vec3 position);

/* What a depth may be off by: 1e-9 of itself, or 1e-13 of the size where that is more. */
double exact_tolerance(double depth, double size);

/* What came out over many samples. Zero-initialise. */
typedef struct exact_record {
    int32_t samples, overlaps, apart, exact; /* exact: of the overlaps, those with the least depth */
    double worst;                            /* largest depth found over the least depth */
    tally failures;
} exact_record;

/* Everything for one sample: no overlap missed, none invented, the least depth, the certificate and all invariants of the contacts, for
 * either policy; the distance where they are apart. */
void exact_check(exact_record *record, const exact_pair *pair);
/* The same pair swapped, moved, mirrored and at 1e-3 and 1e3 of its size gives the same contacts. */
void exact_symmetries(exact_record *record, const exact_pair *pair, random_state *random);
/* The same pair 2^20 m away gives the same contacts. The positions must be multiples of 2^-30 m, so that they stay exact. */
void exact_far_away(exact_record *record, const exact_pair *pair);
/* Prints the record, and fails the test when there are failures. */
void exact_end(const char *name, const exact_record *record);
