#pragma once

#include "narrow/query/mesh_cast.h"

/*
 * When a part of a moving body can reach a box of a moving mesh's hierarchy, at the earliest.
 */
typedef struct mesh_sweep {
    const mesh_cast *cast;
    abut_vec3 start, way; /* of the body's origin, from the middle of the hierarchy, the mesh's axes at first */
    abut_aabb extent;     /* of the part's core about that origin, the same axes */
    double reach;         /* what its radius, its turning, and the tolerance add */
    double rounding;
    bool is_plane;
    abut_vec3 outward; /* of a plane, from the body's origin at first */
    double offset;
} mesh_sweep;

mesh_sweep mesh_sweep_of_part(const mesh_cast *cast, const mover *part);
mesh_sweep mesh_sweep_of_plane(const mesh_cast *cast, abut_vec3 outward, double offset);

/* The fraction before which nothing in the box, seen from the middle, can be touched; INFINITY when nothing in it can before `end`. */
double mesh_sweep_entry(const mesh_sweep *sweep, const abut_aabb *box, double end);
