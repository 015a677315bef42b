#pragma once

#include "narrow/mesh/set.h"
#include "narrow/normal/normal.h"

/*
 * The triangle of a mesh that is nearest to a convex body: branch and bound over the hierarchy. Everything is seen from the place that the placed
 * mesh calls the body's centre.
 */

typedef struct mesh_near {
    double gap;            /* to the nearest triangle, 0 where the body goes through it; INFINITY: there was none yet */
    int32_t part;          /* of the body */
    int32_t index;         /* of the triangle */
    contact_normal normal; /* of the body as A and the triangle as B */
    bool close;            /* some triangle is so near that only the generator of contacts can say whether it touches */
} mesh_near;

/* What the search begins with. */
static inline mesh_near mesh_near_nothing(void) { return (mesh_near){.gap = INFINITY}; }

/*
 * Goes on from what was found of other parts. Of several triangles at one distance that of the lowest part and index is taken, whatever the
 * hierarchy looks like.
 *
 * only_apart  stop at the first triangle that is close
 */
void mesh_near_find(const placed_mesh *mesh, const convex *body, const normal_settings *settings, bool only_apart, mesh_near *near);
