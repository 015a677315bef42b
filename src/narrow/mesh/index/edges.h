#pragma once

#include "narrow/mesh/set.h"

/*
 * Names of the mesh edges in a set of triangles. The first questions look at all triangles of the set; after some, a table of all edges is
 * made. The names are the same.
 */

typedef struct mesh_edges {
    const mesh_set *set;
    struct mesh_edge_slot *slot; /* NULL: there is no table */
    uint32_t mask;
    int32_t left; /* questions until the table is made */
} mesh_edges;

void mesh_edges_init(mesh_edges *edges, const mesh_set *set);
void mesh_edges_free(mesh_edges *edges);

/* The mesh edge of a triangle's side. It is named by the lowest triangle of the same mesh in the set that has both vertices. */
abut_feature mesh_edges_name(mesh_edges *edges, const mesh_triangle *triangle, int side);
