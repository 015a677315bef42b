#pragma once

#include "narrow/mesh/index/near.h"
#include "narrow/mesh/set.h"

/*
 * Decides whether a normal may act at a point of the surface: the Gauss-cell test. Near the point the surface consists of the triangles
 * that contain it. A direction is a normal of the surface there if none of these triangles rises above the plane through the point with
 * that normal.
 */

/* near: finds the triangles of the set; p: a point of the surface; same: points closer than this are one place [length]. */
bool mesh_cone_admits(const mesh_set *set, mesh_near *near, abut_vec3 p, abut_vec3 normal, double same);

/* Whether a normal equals the triangle's, within one degree. */
bool mesh_cone_is_own(const mesh_triangle *t, abut_vec3 normal);

/* Whether a normal leads behind a one-sided triangle, by more than one degree. */
bool mesh_cone_is_behind(const mesh_triangle *t, abut_vec3 normal);
