#pragma once

#include <abut/tetra.h>

/*
 * Whether two tetrahedra overlap by more than the rounding of their coordinates: what abut_simplex_depth() calls ABUT_DEPTH_INTERSECTING.
 * Two that lie clearly apart across one of their faces are told by that alone.
 */
bool mesh_elements_intersect(const abut_simplex *a, const abut_simplex *b);
