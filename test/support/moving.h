#pragma once

#include "support/check.h"

/*
 * Pairs of shapes of all kinds that move as bodies do between steps: by at most 1 cm and 0.03 rad, at sizes of about a metre. At first they overlap, touch, or
 * are near or apart. Some are stacks with faces that stay exactly coplanar; some do not move.
 */
typedef struct moving_pair {
    const abut_shape *a, *b;
    abut_pose pose_a, pose_b;
    abut_vec3 way, turn; /* motion of A at every step: translation, and rotation vector */
    char what[80];       /* says what it is */
} moving_pair;

/* Every kind of pair except two planes. The two may share shapes. */
moving_pair moving_make(random_state *random);
void moving_step(moving_pair *pair);
void moving_free(moving_pair *pair);

/* Two needles or leaves, flat superquadrics among them, as thin as 1e-16 of their length and up to 1e16 apart, which do not move. A shape that cannot be made
 * is NULL. */
moving_pair moving_thin(random_state *random);

/* A cache with any features that such bodies may have. */
abut_cache moving_strange_cache(random_state *random);
