#pragma once

#include "narrow/mesh/pair/settings.h"
#include "narrow/mesh/surface.h"
#include "narrow/patch/contact_list.h"

/*
 * Contacts of two surfaces without an inside. Whether they share a point is decided exactly, triangle by triangle, and decides first. Surfaces
 * apart have contacts across gaps above 0 only (facing.h), the least of which is their distance. Of two triangles that cross, the contact is the
 * shortest way that takes them apart as convex bodies. Set frame.
 */

/* Whether none of the meshes is the surface of a solid. */
bool mesh_open_is(const mesh_surface *a, const mesh_surface *b);

/* Adds the contacts to `list`, each a patch or part of one, numbered from list->count on. False when there is no memory. */
bool mesh_open_touch(const mesh_surface *a, const mesh_surface *b, const mesh_pair_settings *settings, contact_list *list);

/* Adds the contacts of surfaces that are apart. False when there is no memory. */
bool mesh_open_face(const mesh_surface *a, const mesh_surface *b, const mesh_pair_settings *settings, contact_list *list);

/* Adds the contacts of triangles that share a point, as mesh_open_touch() does, but none of surfaces apart. False when there is no memory. */
bool mesh_open_cross(const mesh_surface *a, const mesh_surface *b, const mesh_pair_settings *settings, contact_list *list);
