#pragma once

#include "shape/trimesh_data.h"

/*
 * The smooth surface of a mesh whose edges below an angle are smooth (abut_trimesh_def.smooth_angle). Shape frame.
 *
 * Each corner of a triangle has a unit normal n_i: the sum of the normals of the triangles that are joined to it around the vertex by smooth edges, each
 * weighted by its angle there. The point of the triangle with the barycentric weights w_i, p = sum w_i p_i, is replaced by half of its way to the tangent
 * planes of the corners,
 *
 *     x = p - 1/2 sum w_i ((p - p_i) . n_i) n_i,
 *
 * and the normal there is the direction of m = sum w_i n_i. (Boubekeur and Alexa, "Phong Tessellation", 2008; their factor is 3/4. With 1/2 a chord of a circle
 * has its height to fourth order in the angle.) Along an edge x and m depend on its ends only, so both are continuous across smooth edges.
 */

typedef struct mesh_smooth {
    abut_vec3 *normal;    /* [3 triangle_count] of the corners */
    unsigned char *sides; /* [triangle_count] bit k: the side from corner k to the next is smooth */
    double bulge;         /* no point x is farther from its p */
} mesh_smooth;

/* Sets mesh->smooth, unless no edge is smooth but flat ones. twin: [3 triangle_count] of each side the same side in the neighbour, -1 for none. False without
 * memory. */
bool mesh_smooth_make(trimesh *mesh, const int32_t *twin, double angle);

void mesh_smooth_release(mesh_smooth *smooth);

static inline double mesh_smooth_bulge(const trimesh *mesh) { return mesh->smooth != NULL ? mesh->smooth->bulge : 0.0; }
