#pragma once

#include "narrow/mesh/pair/settings.h"
#include "narrow/mesh/surface.h"

/* The bounds of two surfaces: whether they are near each other, and an upper bound of the way out. Set frame. */

/*
 * Whether the bounds of mesh `a` and of some mesh of `b` are within the margin of each other.
 *
 * deepest: upper bound of the length of a way out of all meshes [length]
 */
bool mesh_bounds_are_near(const placed_mesh *a, const mesh_surface *b, const mesh_pair_settings *settings, double *deepest);
