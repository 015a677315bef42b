#pragma once

#include "narrow/query/advance.h"
#include "narrow/query/mesh_motion.h"

/*
 * Lower bounds of the time at which a part of a moving body can reach a box of a moving mesh's hierarchy.
 */
typedef struct mesh_sweep {
    const mesh_cast *cast;
    abut_vec3 start, way; /* path of the body's pivot, relative to the middle of the hierarchy, along the mesh's initial axes */
    abut_aabb extent;     /* extent of the part's core about that pivot, along the same axes */
    double reach;         /* length added by the part's radius, its rotation and the tolerance */
    double rounding;
    bool is_plane;
    abut_vec3 outward; /* unit normal and offset of a plane, from the body's pivot, initially */
    double offset;
} mesh_sweep;

mesh_sweep mesh_sweep_of_part(const mesh_cast *cast, const mover *part);
mesh_sweep mesh_sweep_of_plane(const mesh_cast *cast, abut_vec3 outward, double offset);

/* The fraction before which nothing in the box can be touched, the box given relative to the hierarchy's middle; INFINITY if that is after
 * `end`. */
double mesh_sweep_entry(const mesh_sweep *sweep, const abut_aabb *box, double end);
