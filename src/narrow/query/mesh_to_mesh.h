#pragma once

#include "geom/triangles.h"
#include "narrow/mesh/set.h"

/*
 * The two triangles of two meshes that are nearest to each other: branch and bound over both hierarchies. Sides play no part: two meshes are the
 * surfaces that they are. Everything is seen from the place that both placed meshes call the body's centre, with one set of axes.
 */

typedef struct mesh_to_mesh {
    double distance;   /* of the surfaces */
    double doubt;      /* nearer than this, only the generator of contacts can say whether they touch */
    bool boxes_meet;   /* those about all of either mesh: it may be inside the other */
    int32_t index[2];  /* of the triangles */
    triangles_gap gap; /* A's as P */
} mesh_to_mesh;

/*
 * Triangles nearer than rounding touch: distance 0. Of several pairs at one distance the lowest pair of indices is taken, whatever the hierarchies look
 * like.
 *
 * order  which mesh's index counts first: A's below 0, B's above 0; at 0 the sum of both
 */
void mesh_to_mesh_find(const placed_mesh *a, const placed_mesh *b, int order, mesh_to_mesh *found);
