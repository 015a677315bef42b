#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

/* The contact normal of two bodies without faces: spheres and capsules. */
contact_normal normal_of_round(const convex *a, const convex *b, abut_vec3 previous);

/* A capsule that lies on a face of a box: an end is clearly over the face. The axis of the face, as an outward normal of the box, is then the direction of the
 * distance. GJK may find the capsule's side and an edge of the face instead, whose direction is that normal with more rounding errors. *face and *end receive
 * the face and the vertex of the capsule's axis. False for all other pairs. */
bool round_lies_on_box(const convex *box, const convex *round, int32_t *face, int32_t *end);
