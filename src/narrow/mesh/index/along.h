#pragma once

#include "narrow/mesh/index/tree.h"

/*
 * Axes for the boxes of a hierarchy. Slender triangles that are parallel, as those of an extruded profile, overlap in boxes that lie across
 * them. The axes follow the longest sides if most of these are parallel. Otherwise they are those of the set.
 */

/* The columns of the result are the axes. */
abut_mat3 mesh_axes_along(mesh_near_triangle *triangle, const void *context, int32_t count);
