#pragma once

#include <abut/tetra.h>

/*
 * True when two tetrahedra overlap by more than the rounding error of their coordinates, which abut_simplex_depth() calls
 * ABUT_DEPTH_INTERSECTING. Tetrahedra that are clearly separated by a face are rejected early.
 */
bool mesh_elements_intersect(const abut_simplex *a, const abut_simplex *b);
