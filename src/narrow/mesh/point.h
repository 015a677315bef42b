#pragma once

#include "narrow/mesh/among.h"

/*
 * The point of a surface that is closest to a given point, and the data that tell on which side of the surface the given point lies. The
 * surface is the union of all meshes placed in the set's frame.
 */

typedef struct mesh_point {
    abut_vec3 closest;     /* set frame */
    double distance;       /* >= 0 */
    abut_feature feature;  /* index as in abut/mesh.h; part: which mesh */
    mesh_triangle nearest; /* the triangle that gives the feature; of several at one distance the first */
    double same;           /* points closer than this are one place there [length] */
    /* Sum of the unit normals of all triangles at the closest point, each weighted by its angle there (Baerentzen and Aanaes). A point on its
     * negative side is inside. Zero if all triangles there are flat, and before mesh_point_look_around(). */
    abut_vec3 outwards;
    bool on_rim; /* the surface ends at the closest point: points past the rim are on neither side */
} mesh_point;

/* False if nothing is nearer than the limit. Points closer than surface->same are one place; found->same grows with the distance from a mesh's own origin. */
bool mesh_point_find(const mesh_surface *surface, abut_vec3 point, double limit, mesh_point *found);

/* The same, but the first point that is no farther than `enough` will do, and need not be the closest. */
bool mesh_point_find_any(const mesh_surface *surface, abut_vec3 point, double limit, double enough, mesh_point *found);

/* Sets outwards and on_rim of a point found by mesh_point_find(). */
void mesh_point_look_around(const mesh_surface *surface, mesh_point *found);

/* The same, with all triangles that are within MESH_POINT_AROUND times found->same of the closest point, and possibly others. */
void mesh_point_look_among(const mesh_triangle *const *near, int32_t count, mesh_point *found);

enum { MESH_POINT_AROUND = 6 };
