#pragma once

#include "tetra/along.h"

/*
 * Normals that do not come from features, for tetrahedra that must keep a share of their volume. Along one normal the least displacement is known
 * (along_bounded.c). Its cost F is not convex in the normal, so no enumeration finds the least of all, and the search is local.
 */

/* Descends from each of the normals, at least one, to a local minimum near it, and returns the least of them. */
along free_bounded_least(const pair *p, const abut_vec3 *starts, int count);
