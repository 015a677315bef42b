#pragma once

#include "shape/trimesh.h"

/* Where a ray comes through the surface of a mesh. */
typedef struct mesh_entry {
    double fraction;  /* of the way */
    abut_vec3 normal; /* unit, against the way */
    int32_t triangle;
} mesh_entry;

/* The first triangle on the way from the origin, mesh frame; of a one-sided mesh, the first that it comes to from outside. No ray slips through between
 * triangles that share an edge or a vertex. Ties: the lowest triangle. */
bool ray_enter_mesh(const trimesh *mesh, abut_vec3 origin, abut_vec3 way, mesh_entry *entry);
