#pragma once

#include "narrow/mesh/surface.h"

/*
 * What of one surface may touch another one: its vertices, and its outer edges, those where the surface bends outward or ends. Set frame.
 */

typedef struct near_vertex {
    abut_vec3 place;
    int32_t mesh, vertex; /* which mesh of the surface; which vertex of it */
} near_vertex;

typedef struct near_edge {
    abut_vec3 from, to;
    abut_vec3 wing;       /* the third corner of the triangle that names it */
    abut_feature feature; /* numbered as narrow/mesh/mesh.h says; part: which mesh */
    const placed_mesh *of;
} near_edge;

typedef struct mesh_features {
    near_vertex *vertex; /* each once, by mesh and number */
    int32_t vertex_count, vertex_capacity;
    near_edge *edge; /* each once */
    int32_t edge_count, edge_capacity;
    bool out_of_memory;
} mesh_features;

/* All vertices and edges of the surface that may be inside the other one, by no more than `deepest`, or no farther from it than the margin; and perhaps
 * more. */
void mesh_features_find(mesh_features *found, const mesh_surface *surface, const mesh_surface *other, double deepest, double margin);
void mesh_features_free(mesh_features *features);
