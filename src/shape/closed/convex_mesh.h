#pragma once

#include <abut/mesh.h>

#include "shape/polytope.h"
#include "shape/trimesh_data.h"

/*
 * The polytope with the surface of a closed convex mesh. The mesh gets the contacts of the polytope (narrow/solids.h).
 */

typedef struct convex_mesh {
    abut_shape *solid; /* a polytope in the mesh's frame */
    int32_t *first;    /* [face_count + 1] into triangle: a face's triangles */
    int32_t *triangle; /* ascending for each face */
    int32_t *vertex;   /* [vertex_count] of the mesh */
    int32_t *face;     /* [triangles of the mesh] of the polytope; -1 for triangles without a face */
    int32_t triangles; /* in all faces */
} convex_mesh;

/* Makes the polytope of a closed mesh. *made is NULL when the mesh is not convex: some vertex lies farther than rounding error of the coordinates beyond a
 * triangle, or a flat side cannot be told from that. False without memory. */
bool convex_mesh_make(const trimesh *mesh, convex_mesh **made);

size_t convex_mesh_bytes(const convex_mesh *mesh);

/* mesh may be NULL. */
void convex_mesh_release(convex_mesh *mesh);
