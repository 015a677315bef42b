#pragma once

#include "narrow/mesh/set.h"

/*
 * The mesh edges in a set of triangles: their names, and the triangles on both sides. The first questions for names look at all triangles
 * of the set; after some questions of either kind, a table of all edges is made. The names are the same.
 */

typedef struct mesh_edges {
    const mesh_set *set;
    struct mesh_edge_slot *slot; /* NULL: there is no table */
    uint32_t mask;
    int32_t left; /* questions until the table is made; of a small set it is never made */
} mesh_edges;

void mesh_edges_init(mesh_edges *edges, const mesh_set *set);
void mesh_edges_free(mesh_edges *edges);

/* The mesh edge of a triangle's side. It is named by the lowest triangle of the same mesh in the set that has both vertices. */
abut_feature mesh_edges_name(mesh_edges *edges, const mesh_triangle *triangle, int side);

/* Another triangle of the set with this side, by its place in the set. -1: none is known, because there is none or no table. */
int32_t mesh_edges_beyond(mesh_edges *edges, const mesh_triangle *triangle, int side);
