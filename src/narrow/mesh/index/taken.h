#pragma once

#include "narrow/mesh/set.h"

/*
 * The corners and sides of triangles that were taken, by the bits of their positions. It proposes the first triangle that has a given
 * corner or side. A proposal can be wrong, because places are compared by a hash, and none can be missing only where memory is.
 */

typedef struct mesh_taken {
    struct mesh_taken_slot *slot; /* NULL: nothing is remembered */
    uint32_t mask;
} mesh_taken;

/* `most`: the largest number of triangles. Without memory nothing is remembered, which costs time only. */
void mesh_taken_init(mesh_taken *taken, int32_t most);
void mesh_taken_free(mesh_taken *taken);

/* Remembers triangle `index`. Of several with a corner or side the first one counts. */
void mesh_taken_add(mesh_taken *taken, const mesh_triangle *triangle, int32_t index);

/* A taken triangle that has the corner, or the side, of this triangle; -1: none. Side i runs from corner i to the next. */
int32_t mesh_taken_at_corner(const mesh_taken *taken, const mesh_triangle *triangle, int corner);
int32_t mesh_taken_at_side(const mesh_taken *taken, const mesh_triangle *triangle, int side);
