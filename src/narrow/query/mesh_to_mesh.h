#pragma once

#include "geom/triangles.h"
#include "narrow/mesh/set.h"

/*
 * The nearest triangles of two meshes, by branch and bound over both hierarchies. The sides of the surfaces do not matter. All points are
 * relative to the body's centre of both placed meshes, with common axes.
 */

typedef struct mesh_to_mesh {
    double distance;   /* of the two surfaces, >= 0 */
    double doubt;      /* below this distance, only the contact generator can decide whether they touch */
    bool boxes_meet;   /* the boxes of the whole meshes overlap: one mesh may be inside the other */
    int32_t index[2];  /* triangles of A and B */
    triangles_gap gap; /* with A's triangle as P */
} mesh_to_mesh;

/*
 * Triangles nearer than rounding error have distance 0. Among pairs at the same distance, the lowest pair of indices wins, whatever the
 * hierarchies.
 *
 * order which index is compared first: A's if negative, B's if positive; if 0, the sum of both
 */
void mesh_to_mesh_find(const placed_mesh *a, const placed_mesh *b, int order, mesh_to_mesh *found);
