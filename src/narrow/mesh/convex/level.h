#pragma once

#include "narrow/mesh/index/flats.h"
#include "narrow/normal/convex.h"

/*
 * Triangles that only their own normal serves. A triangle inside a flat place (index/flats.h) admits no other way out of a body that has sunk into it:
 * whatever the normal of least depth is, some triangle rises above it. So that normal need not be searched for.
 *
 * Normals that lean by less than flats.lean are the exception, because all triangles rise above them by little. No such normal is one of least depth if the
 * body is as deep everywhere over the triangle as at its lowest point, as a body that stands on a face, or if it is deeper by much. Then the part of it
 * that is nearly as low as its lowest point is beside the triangle.
 *
 * Set frame. It changes the time and never the answer.
 */

#define MESH_LEVEL_CLEARLY 1e-8 /* of the body's size: it is deeper in these triangles, along any direction */

typedef struct mesh_level {
    const convex *body;
    const mesh_set *set;
    double same;
    int32_t left; /* questions until the flat places are looked for */
    mesh_flats flats;
    /* The lowest part of the body along the last normal: a rectangle along two axes of the plane. */
    abut_vec3 normal, first, second;
    double lower[2], upper[2];
} mesh_level;

void mesh_level_init(mesh_level *level, const mesh_set *set, const convex *body, double same);
void mesh_level_free(mesh_level *level);

/* Whether triangle `item` of the set, which was perhaps turned about and is then t, is one of these, and the body has clearly sunk into it. May be false for
 * any triangle. */
bool mesh_level_has_only_own(mesh_level *level, int32_t item, const mesh_triangle *t);
