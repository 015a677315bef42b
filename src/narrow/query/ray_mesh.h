#pragma once

#include "shape/trimesh.h"

/* Where a ray enters the surface of a mesh. */
typedef struct mesh_entry {
    double fraction;  /* of the ray's length */
    abut_vec3 normal; /* unit, towards the ray's origin */
    int32_t triangle;
} mesh_entry;

/* The first triangle on the ray, in the mesh's frame. Triangles of a one-sided mesh count only from outside. No ray passes between
 * triangles that share an edge or a vertex. Among triangles at the same fraction, the lowest index wins. */
bool ray_enter_mesh(const trimesh *mesh, abut_vec3 origin, abut_vec3 way, mesh_entry *entry);
