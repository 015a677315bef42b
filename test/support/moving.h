#pragma once

#include "support/check.h"

/*
 * Pairs of shapes of all kinds that move as bodies do from step to step: by no more than 1 cm and 0.03 rad, at sizes of about a metre. They begin
 * overlapping, touching, near or apart; some are stacks whose faces stay exactly coplanar, or stay where they are.
 */
typedef struct moving_pair {
    const abut_shape *a, *b;
    abut_pose pose_a, pose_b;
    abut_vec3 way, turn; /* of A at every step: translation, and rotation vector */
    char what[80];       /* says what it is */
} moving_pair;

/* Every kind of pair but two planes; shapes may be shared between the two. */
moving_pair moving_make(random_state *random);
void moving_step(moving_pair *pair);
void moving_free(moving_pair *pair);
