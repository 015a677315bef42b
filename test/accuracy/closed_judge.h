#pragma once

#include <abut/collide.h>

#include "accuracy/accuracy.h"
#include "accuracy/solid_oracle.h"

/*
 * Two closed meshes as they are placed, and what the library says of them beside what is exact.
 */

typedef struct closed_pair {
    abut_shape *mesh[2];
    judged_body body[2];
    abut_pose pose[2];
    double scale; /* of lengths and coordinates */
} closed_pair;

enum { CLOSED_ROOM = 2048 };

abut_quat closed_pick_turn(random_state *random);
/* In units of the sizes, from -0.3 to 0.3, most near 0. */
double closed_pick_gap(random_state *random);

double closed_span_of(const abut_shape *mesh);
void closed_pair_release(closed_pair *pair);

/* The place of B, for the oracle too. */
void closed_place_b(closed_pair *pair, abut_vec3 at);

/* Moves B from `aim` + `from` `way` against the direction until the distance is at most `near`. False if it passes by. */
bool closed_bring_near(closed_pair *pair, abut_vec3 way, abut_vec3 aim, double from, double near, judged_gap *gap);

/* Whether the closest points are a vertex inside a face or two sides inside both: then the distance is the height over a plane, also for places beside this
 * one, by up to `step`. */
bool closed_is_facet(closed_pair *pair, abut_vec3 at, abut_vec3 n, quad distance, qvec normal, double step);

const abut_contact *closed_deepest_of(const abut_contact *c, int32_t count);

/* What is known. */
typedef struct closed_known {
    bool overlap;
    double gap;  /* apart: the distance. Else the way back along a normal, as a negative number */
    bool back;   /* overlap: that way takes the bodies apart; where both surfaces are convex, no contact is deeper */
    bool linear; /* overlap: the gap is the depth, unless another facet has a lesser one */
    double margin;
    bool swapped; /* ask with A and B exchanged */
} closed_known;

/* Judges the contacts. Returns their number, and the contacts in c[CLOSED_ROOM]; -1 without an answer. */
int32_t closed_judge(accuracy *row, closed_pair *pair, const closed_known *known, abut_contact *c);
