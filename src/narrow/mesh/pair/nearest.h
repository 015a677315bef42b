#pragma once

#include "geom/triangles.h"
#include "narrow/mesh/set.h"

/*
 * The nearest triangles of two meshes, by branch and bound over both hierarchies. The sides of the surfaces do not matter. All points are
 * relative to the body's centre of both placed meshes, with common axes.
 */

typedef struct mesh_nearest {
    double distance;    /* of the two surfaces; 0 exactly where they share a point */
    double doubt;       /* for solids: below this distance, only the contact generator decides whether they touch */
    bool boxes_meet;    /* the boxes of the whole meshes overlap: one mesh may be inside the other */
    int32_t index[2];   /* triangles of A and B */
    mesh_triangle a, b; /* the same, placed */
    triangles_gap gap;  /* with A's triangle as P; without a direction where the surfaces share a point */
} mesh_nearest;

/*
 * Among pairs at the same distance, the lowest index of A and then of B wins, whatever the hierarchies.
 *
 * limit triangles farther apart are not looked for; the distance is the limit then, and the indices are INT32_MAX
 */
void mesh_nearest_find(const placed_mesh *a, const placed_mesh *b, double limit, mesh_nearest *found);

/*
 * Whether B is to come first where ties are settled, so that exchanging A and B changes nothing: by the order of the shapes (collide_pair), or,
 * where they are alike, by their places along `aside`, a direction fixed in the world.
 */
bool mesh_nearest_b_first(const placed_mesh *a, const placed_mesh *b, int order, abut_vec3 aside);

/* The smallest feature of a placed triangle whose corners have these weights. */
static inline abut_feature mesh_nearest_feature(const mesh_triangle *t, const double weight[3]) {
    int zeros = (weight[0] == 0.0) + (weight[1] == 0.0) + (weight[2] == 0.0);
    abut_feature feature = {.kind = ABUT_FEATURE_FACE, .index = t->index, .part = t->part};
    if (zeros == 1) {
        feature.kind = ABUT_FEATURE_EDGE;
        feature.index = 3 * t->index + (weight[2] == 0.0 ? 0 : weight[0] == 0.0 ? 1 : 2);
    } else if (zeros == 2) {
        feature.kind = ABUT_FEATURE_VERTEX;
        feature.index = t->vertex[weight[0] > 0.0 ? 0 : weight[1] > 0.0 ? 1 : 2];
    }
    return feature;
}
