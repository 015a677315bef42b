#pragma once

#include "narrow/patch/contact_list.h"
#include "narrow/mesh/surface.h"

/*
 * Two surfaces that cross, where no pair of features has a normal of both: one contact patch, of the two triangles that are deepest in each other. Set
 * frame; only the first mesh of A.
 *
 * weld  corners of the patch nearer to each other than this are one [length]
 * False when there is no memory.
 */
bool mesh_cross(const mesh_surface *a, const mesh_surface *b, double weld, contact_list *list);
