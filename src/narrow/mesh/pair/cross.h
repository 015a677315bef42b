#pragma once

#include "narrow/patch/contact_list.h"
#include "narrow/mesh/surface.h"

/*
 * The fallback for two surfaces that cross where no pair of features has a normal of both: one contact patch between the two triangles with
 * the largest depth, flagged ABUT_CONTACT_NORMAL_CHOSEN. Set frame; only the first mesh of A is used.
 *
 * weld  corners of the patch closer than this are one [length]
 *
 * False when there is no memory.
 */
bool mesh_cross(const mesh_surface *a, const mesh_surface *b, double weld, contact_list *list);
