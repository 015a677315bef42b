#pragma once

#include "narrow/pair.h"
#include "narrow/patch/contact_list.h"

/*
 * Contacts of smooth bodies that are not convex. Triangles stand for their surface (shape/surface/triangulation.h): every question is first asked of the mesh,
 * with a margin that is larger by the distance of the surface from the triangles. Each contact of the mesh is then moved to the place where both surfaces face
 * each other exactly (settle.h). So a pair of such places is found where the mesh has a contact: where both surfaces come near each other over more than a
 * triangle's length. Of several such pairs within one triangle one is found.
 *
 * A contact that does not settle keeps the points of the mesh, and has the flag ABUT_CONTACT_WITNESS: its gap is wrong by no more than the triangles are.
 */

/* The shape whose triangles stand for a body: the mesh of a smooth body that is not convex; NULL if it has none; for other bodies the shape itself. */
const abut_shape *curved_stand_in(const abut_shape *shape);

/* How far the surface of a body is from its stand-in, at most; 0 for other bodies. */
double curved_error(const abut_shape *shape);

/* Whether one of both is a smooth body that is not convex. With bodies of rounded triangles the skin makes the contacts (shape/skin). */
bool curved_any(const abut_shape *a, const abut_shape *b);

/* Sets the pair of both stand-ins, with the larger margin. False if one of them has none. */
bool curved_pair(const collide_pair *pair, collide_pair *seen);

/* The name of a place of the surface near a feature of the stand-in: it tells the contacts of the surface apart. */
abut_feature curved_name(abut_feature of_mesh);

/* A triangle of the stand-in at the feature with that name; -1 for a name of none. */
int32_t curved_triangle_of(const abut_shape *shape, abut_feature name);

/* Makes the contacts of curved_pair() those of the pair, within its margin. */
void curved_settle(const collide_pair *pair, contact_list *list);
