#pragma once

#include "narrow/patch/contact_list.h"
#include "narrow/normal/convex.h"
#include "narrow/mesh/set.h"
#include "narrow/normal/normal.h"

/*
 * A convex body and the triangles near it: where it touches the surface that they depict.
 *
 * Every triangle that the body meets has the normal of the least depth, as if it were alone in the world. At an edge or a vertex this normal is
 * one of the surface only if it lies in the surface's cone of normals there: no triangle that has the point of contact may rise above it. Where it
 * does not, as at every joint of a flat place, the triangle's own normal is taken. What belongs to one flat place of the surface becomes one patch.
 */

typedef struct mesh_convex_settings {
    normal_settings normal;
    double feature_sine;
    double weld;     /* [length] */
    double same;     /* points nearer to each other than this are one place [length] */
    double rounding; /* of coordinates, before they were seen from the centre [length] */
} mesh_convex_settings;

/* Adds contacts with the body as A and the mesh as B, set frame. The body's centre is the set's origin; its pose is in the set's frame. Patches are
 * numbered from list->count on. False when there is no memory. */
bool mesh_convex(const mesh_set *set, const convex *body, abut_vec3 middle, const mesh_convex_settings *settings, contact_list *list);
