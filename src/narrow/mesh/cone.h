#pragma once

#include "narrow/mesh/set.h"

/*
 * May a normal act at a point of the surface? Near the point the surface is made of the cones of the triangles that have it. A normal is
 * one of its normals when none of them rises above.
 */

/* What becomes of a normal at a point of a triangle. */
typedef enum mesh_verdict {
    MESH_MAY_ACT, /* it is one of the surface's there */
    MESH_OWN_NORMAL, /* the triangle's own is the nearest that is: at a joint of a flat place, in a valley, where it rises itself */
    MESH_OF_NEIGHBOURS /* the nearest is that of a neighbour behind an outer edge, whose contact it is */
} mesh_verdict;

/* same: points nearer to each other than this are one place [length] */
mesh_verdict mesh_cone_judge(const mesh_set *set, const mesh_triangle *of, abut_vec3 p, abut_vec3 normal, double same);

/* Whether a normal is the triangle's, up to one degree. */
bool mesh_cone_is_own(const mesh_triangle *t, abut_vec3 normal);
