#pragma once

#include "narrow/mesh/index/near.h"
#include "narrow/mesh/set.h"

/*
 * Decides whether a normal may act at a point of the surface: the Gauss-cell test. Near the point the surface consists of the triangles
 * that contain it. A direction is a normal of the surface there if none of these triangles rises above the plane through the point with
 * that normal.
 */

/* What happens to a normal at a point of a triangle. */
typedef enum mesh_verdict {
    MESH_MAY_ACT,      /* it is a normal of the surface there */
    MESH_OWN_NORMAL,   /* replace it by the triangle's own normal: at a flat joint, in a valley, or if the triangle itself rises above */
    MESH_OF_NEIGHBOURS /* drop it: across an outer edge a neighbour's normal is nearer, and the neighbour makes the contact */
} mesh_verdict;

/* near: finds the triangles of the set; p: a point of the triangle `of`; same: points closer than this are one place [length]. A flat joint is
 * a joint of coplanar triangles. */
mesh_verdict mesh_cone_judge(const mesh_set *set, mesh_near *near, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, double same);

/* Whether a normal equals the triangle's, within one degree. */
bool mesh_cone_is_own(const mesh_triangle *t, abut_vec3 normal);

/* Whether a normal leads behind a one-sided triangle, by more than one degree. */
bool mesh_cone_is_behind(const mesh_triangle *t, abut_vec3 normal);
