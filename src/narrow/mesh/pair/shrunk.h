#pragma once

#include "narrow/mesh/set.h"

/* A closed mesh whose faces lie a little deeper in its solid: faces that lie flush with another body come apart from it, on all sides at once. */
typedef struct shrunk_mesh {
    placed_mesh placed; /* of `mesh` */
    trimesh mesh;       /* that of the original but for the places of its vertices; the rest belongs to the original */
} shrunk_mesh;

/*
 * Moves every vertex until all faces at it have moved inwards by `by`, up to 1 %. A vertex moves by 8 `by` at most, so faces at the tip of a spike move less.
 * Where faces oppose each other, as at a saddle of blocks, they stay where they are. by: some rounding errors of a coordinate [length]. The mesh has `twin`.
 * False: out of memory; nothing is held.
 */
bool shrunk_mesh_make(shrunk_mesh *made, const placed_mesh *mesh, double by);
void shrunk_mesh_free(shrunk_mesh *made);
