#pragma once

#include "narrow/mesh/set.h"

/*
 * The point of a surface that is closest to a given one, and on which side of the surface that lies. The surface is that of all meshes placed in the set's
 * frame together.
 */

typedef struct mesh_point {
    abut_vec3 closest;     /* set frame */
    double distance;       /* >= 0 */
    abut_feature feature;  /* numbered as narrow/mesh/mesh.h says; part: which mesh */
    mesh_triangle nearest; /* the one that names the feature: of several at one distance the first */
    double same;           /* what counts as one place there [length] */
    abut_vec3
        outwards; /* sum of the unit normals of all triangles that have the closest point, each weighted by its angle there (Baerentzen and
                              Aanaes): who is seen against it is inside. Zero where all of them are flat, and before anybody looked around */
    bool on_rim;  /* the surface ends there: who is past its rim is on neither side */
} mesh_point;

/* False when nothing is nearer than the limit. `same` counts as one place, and somewhat more far away from a mesh's own origin. */
bool mesh_point_find(const placed_mesh *mesh, int32_t count, abut_vec3 point, double limit, double same, mesh_point *found);

/* Sets outwards and on_rim of a point that was found. */
void mesh_point_look_around(const placed_mesh *mesh, int32_t count, mesh_point *found);
