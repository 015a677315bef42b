#pragma once

#include "narrow/patch/contact_list.h"

/*
 * From the contacts of single triangles to those of the surface: contacts with one normal at one height become the corners of one convex patch.
 * One that is deeper than all corners, as on a bulge, is kept as a patch of its own.
 *
 * weld  corners nearer to each other than this are one [length]
 * same  heights that differ by no more are one, for corners a patch apart [length]
 * Adds to `list`; patches are numbered from list->count on. False when there is no memory.
 */
bool mesh_patch_join(contact_list *found, double weld, double same, contact_list *list);
