#pragma once

#include "narrow/patch/contact_list.h"

/*
 * Turns the contacts of single triangles into contacts of the surface. Contacts with one normal at one height become the corners of one
 * convex patch. Contacts inside it that are lower than its corners, as below a bulge, become patches of their own (narrow/mesh/bulge.h).
 *
 * weld  corners closer than this are one [length]
 * same  heights that differ by at most this are equal, for corners a patch apart [length]
 *
 * Adds to `list`; patches are numbered from list->count on. False when there is no memory.
 */
bool mesh_patch_join(contact_list *found, double weld, double same, contact_list *list);

/* The same, but a patch has the normal of its deepest contact. Otherwise it has that of its first corner, from which normals of one patch differ by up to
 * 1e-6. */
bool mesh_patch_join_by_depth(contact_list *found, double weld, double same, contact_list *list);
