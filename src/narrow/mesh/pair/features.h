#pragma once

#include "narrow/mesh/surface.h"

/*
 * The features of one surface that may touch another: its vertices and its outer edges. An edge is outer if the surface bends outward there
 * or ends. Set frame.
 */

typedef struct near_vertex {
    abut_vec3 place;
    int32_t mesh, vertex; /* index of the mesh in the surface; index of the vertex in that mesh */
} near_vertex;

typedef struct near_edge {
    abut_vec3 from, to;
    abut_vec3 wing;       /* the third corner of the triangle that gives the edge its index */
    abut_feature feature; /* index as in abut/mesh.h; part: which mesh */
    const placed_mesh *of;
} near_edge;

typedef struct mesh_features {
    near_vertex *vertex; /* without repetitions, sorted by mesh and index */
    int32_t vertex_count, vertex_capacity;
    near_edge *edge; /* without repetitions */
    int32_t edge_count, edge_capacity;
    bool out_of_memory;
} mesh_features;

/* Finds all vertices and edges of the surface that may be inside the other surface, at most `deepest` deep, or outside it within the
 * margin. The result may contain others. */
void mesh_features_find(mesh_features *found, const mesh_surface *surface, const mesh_surface *other, double deepest, double margin);
void mesh_features_free(mesh_features *features);

/* Whether the bounds of two edges are within `reach` of each other. */
bool near_edges_meet(const near_edge *a, const near_edge *b, double reach);
