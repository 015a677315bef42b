#pragma once

#include "narrow/curved/side.h"

/*
 * A contact of which one body is smooth and not convex, looked at again after its bodies have moved: from where its points were, Newton's method finds the pair
 * of places that face each other now (settle.h). The other body is convex, a plane or a mesh. Nothing is searched.
 */

/* Where one side of a contact was. Shape frame. */
typedef struct curved_start {
    abut_vec3 point, outward;
    abut_feature feature; /* of a body that is not convex: curved_name() */
} curved_start;

/* Sets both sides. False where no such pair is near. No shape is a compound. */
bool curved_track(const abut_shape *const shape[2], const side_place place[2], const curved_start start[2], contact_side side[2]);
