#pragma once

#include "narrow/mesh/set.h"
#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

/*
 * The triangle of a mesh that is nearest to a convex body, by branch and bound over the hierarchy. All points are relative to the body's
 * centre of the placed mesh (placed_mesh.centre).
 */

typedef struct mesh_near {
    double gap;            /* of the nearest triangle, 0 if the body crosses it; INFINITY: none yet */
    int32_t part;          /* part of the body */
    int32_t index;         /* index of the triangle */
    contact_normal normal; /* with the body as A and the triangle as B */
    bool close;            /* some triangle is so near that only the contact generator can decide whether it touches */
} mesh_near;

/* The initial state of a search. */
static inline mesh_near mesh_near_nothing(void) { return (mesh_near){.gap = INFINITY}; }

/*
 * Continues a search begun with other parts. Among triangles at the same distance, the lowest part and index win, whatever the hierarchy.
 *
 * only_apart stop at the first triangle that is close
 */
void mesh_near_find(const placed_mesh *mesh, const convex *body, const normal_settings *settings, bool only_apart, mesh_near *near);
