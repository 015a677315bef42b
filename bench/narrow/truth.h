#pragma once

#include "body.h"
#include "support/oracle.h"

/*
 * The true answer for two bodies, by exhaustive search with the referee of the tests (support/oracle.h), which shares no code with any
 * engine. World frame. A may be moved by a shift without new preparation.
 */

typedef struct truth {
    oracle_body a, b;
    oracle_facets facets; /* of A - B */
} truth;

truth truth_make(const body *a, abut_pose pose_a, const body *b, abut_pose pose_b);
void truth_free(truth *t);

/* Distance of the surfaces with A moved by `shift`; when they overlap, minus the smallest depth over all facets of A - B. */
double truth_separation(const truth *t, abut_vec3 shift);

/* The distance that A must move along the unit vector `direction` until the separation is `target`, to a thousandth of it. The present
 * separation must be smaller. */
double truth_place(const truth *t, abut_vec3 direction, double target);
