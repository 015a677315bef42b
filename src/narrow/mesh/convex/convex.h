#pragma once

#include "narrow/patch/contact_list.h"
#include "narrow/normal/convex.h"
#include "narrow/mesh/surface.h"
#include "narrow/normal/contact_normal.h"

/*
 * Contacts of a convex body with the surface that a set of triangles represents ([T], with the Gauss-cell test that finite bodies need;
 * docs/methods/meshes.md).
 *
 * For each triangle that the body meets, the normal of least depth is found as if the triangle were alone. At an edge or a vertex this
 * normal is valid only if it lies in the surface's cone of normals: no triangle that contains the contact point may rise above it. An
 * invalid normal, as at every joint of a flat place, is replaced by the triangle's own normal. Contacts that belong to one flat place of
 * the surface become one patch.
 */

typedef struct mesh_convex_settings {
    normal_settings normal;
    double feature_sine;
    double weld;          /* [length] */
    mesh_surface surface; /* all triangles of it; points closer than `same` are one place */
    double rounding;      /* rounding error of coordinates in the mesh's frame [length] */
} mesh_convex_settings;

/* Adds contacts with the body as A and the mesh as B, in the set's frame: its origin is the body's centre, and the body's pose is given in
 * it. middle: a point inside the body, from which the sides of triangles are judged. Patches are numbered from list->count on. False when
 * there is no memory. */
bool mesh_convex(const mesh_set *set, const convex *body, abut_vec3 middle, const mesh_convex_settings *settings, contact_list *list);
