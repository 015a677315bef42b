#pragma once

#include "narrow/pair.h"
#include "narrow/patch/contact_list.h"

/*
 * Two closed convex meshes: their contacts are those of the two polytopes, with the normal of least depth.
 */

/* Whether both shapes of the pair are such meshes. */
bool mesh_are_solids(const collide_pair *pair);

/* Adds the contacts, in the pair's frame. Features have the names of the meshes. */
void mesh_solids(const collide_pair *pair, contact_list *list);
