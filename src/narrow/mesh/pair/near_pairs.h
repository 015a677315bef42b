#pragma once

#include "narrow/mesh/set.h"

/*
 * The pairs of triangles of two placed meshes that are near each other, over both hierarchies. Set frame.
 */

/* Called for two triangles whose bounds are within *reach of each other. It may lower *reach. False ends the search. */
typedef bool mesh_near_visit(void *context, const mesh_triangle *a, const mesh_triangle *b, double *reach);

/* Visits all pairs of triangles within `reach` of each other, nearer nodes first, and possibly others. False when visit ended it. */
bool mesh_near_pairs(const placed_mesh *a, const placed_mesh *b, double reach, mesh_near_visit *visit, void *context);
