#pragma once

#include <abut/contact.h>

#include "narrow/seam/still.h"

/*
 * Decides whether a contact lies on the surface of all bodies that stand still, and whether its normal may act there: the Gauss-cell test for their union.
 *
 * The normal of a face, of a smooth surface or of a plane may act where the face is open: just above it there is no other body. The normal of an edge or a
 * vertex may act where, besides, no other body rises above the plane through the point with that normal. A contact at the border of its feature counts as
 * valid if it would be valid a little farther inside the feature. So the foot of a wall keeps its contacts.
 */

/* Whether a contact's point and normal are those of a surface that is exposed. own: the part of the still bodies that has the contact; solid: all parts near
 * it, the own one left out. outward: from the still body to the other one. */
bool seam_admits(const still_solid *solid, const still_part *own, abut_vec3 point, abut_vec3 outward);

/* A face that goes on level: it consists of the points p with dot(normal, p) = height. */
typedef struct seam_level {
    abut_vec3 normal;
    double height;
} seam_level;

/* Whether another part, and not the own one, tells the normal at the point: both lie below a face of the other part, which goes on where the own part
 * begins, and the normal leans over this face. The bodies may have sunk in. Such a contact is not admitted either; seam_admits() leaves this question out. */
bool seam_supersedes(const still_solid *solid, const still_part *own, abut_vec3 point, abut_vec3 outward, seam_level *face);

/* Whether the still body is there right above the point, at the height of the face. Then what comes from above meets it there, and never the point. */
bool seam_is_below(const still_solid *solid, const still_part *own, abut_vec3 point, const seam_level *face);

/* The face on which a contact at an edge or a vertex of the part lies, when the surface of all bodies goes on level all round; -1 if it does not. */
int32_t seam_flat_face(const still_solid *solid, const still_part *own, abut_vec3 point, abut_vec3 outward);
