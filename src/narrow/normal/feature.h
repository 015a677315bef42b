#pragma once

#include "geom/gauss.h"
#include "narrow/normal/convex.h"

/*
 * Features of a body's core and their Gauss cells ([SNE] section "Gauss maps").
 *
 * Indices are those of the core: faces, edges and vertices of a polytope; edge 0 and vertices 0 (-z) and 1 (+z) of a segment; vertex 0 of a point; of a frustum
 * the faces 0 (-z) and 1 (+z), the vertices 0 and 1 on their rims, and the edge 0 between these, all in its meridian.
 */

/*
 * Picks the feature that takes part in a contact whose normal points out of the body along `direction` (unit, pair's frame). The first of these that lies
 * within the angle is taken: (1) the face at the support vertex that is closest to the direction; (2) the closest edge there whose arc of normals contains the
 * direction up to the angle; (3) the support vertex, in any case. The angle is given by its sine. Next to a face it is at most 0.45 of the smallest angle to a
 * neighbouring face, so that the picked facet of a finely tessellated body does not flicker.
 */
abut_feature feature_pick(const convex *body, abut_vec3 direction, double sine);

/* The same when a feature is known that is extreme along the direction: a face whose normal is the direction, an edge or a vertex. */
abut_feature feature_pick_at(const convex *body, abut_feature extreme, abut_vec3 direction, double sine);

/* The smallest feature that holds all the vertices (1 to 3 indices, repetitions allowed). Kind NONE when no face holds them all. */
abut_feature feature_of_vertices(const convex *body, const int32_t *vertices, int32_t count);

/* The smallest feature that holds a point (pair's frame), among the vertex, its faces and their borders; the vertex when none does. Polytopes and segments; of
 * other cores the vertex. */
abut_feature feature_holding(const convex *body, int32_t vertex, abut_vec3 point);

/* Outward normal of a face, core frame. */
static inline abut_vec3 feature_local_normal(const convex *body, int32_t face) {
    return body->core == CORE_FRUSTUM ? abut_vec3_make(0.0, 0.0, face == 0 ? -1.0 : 1.0) : body->surface->face[face].normal;
}

/* The same in the pair's frame. */
static inline abut_vec3 feature_face_normal(const convex *body, int32_t face) {
    return convex_direction_to_pair(body, feature_local_normal(body, face));
}

/* Whether a point in the plane of a face (core frame) lies inside the face, and farther than `border` from its edges. */
bool feature_is_inside_face(const convex *body, int32_t face, abut_vec3 point, double border);

/* The face whose normal is closest to the direction. Polytopes only. */
int32_t feature_closest_face(const convex *body, abut_vec3 direction);

/* The two ends of an edge, pair's frame. */
static inline void feature_edge(const convex *body, int32_t edge, abut_vec3 end[2]) {
    bool faced = body->core == CORE_POLYTOPE;
    end[0] = convex_to_pair(body, convex_vertex(body, faced ? body->surface->edges[edge].vertex[0] : 0));
    end[1] = convex_to_pair(body, convex_vertex(body, faced ? body->surface->edges[edge].vertex[1] : 1));
}

/* The edge of a polytope that joins two vertices; -1 when there is none. */
int32_t feature_edge_between(const polytope *surface, int32_t v, int32_t w);

/* Number of corners of a feature's Gauss cell. */
int32_t feature_cell_size(const convex *body, abut_feature feature);

/* Writes the corners of a feature's Gauss cell, pair's frame, to cell->corners, which has room for feature_cell_size(). Polytopes only. */
void feature_cell(const convex *body, abut_feature feature, gauss_cell *cell);

/* Clips a cell of directions by the feature's Gauss cell, negated when `opposite`. The remaining directions are those along which the feature is extreme as
 * well. Edges and vertices of polytopes only. */
void feature_clip_cell(const convex *body, abut_feature feature, bool opposite, double tolerance, gauss_cell *cell);

/* Translates a core's feature to a feature of the shape, as the caller sees it. */
static inline abut_feature feature_of_shape(const convex *body, abut_feature core_feature) {
    abut_feature feature = core_feature;
    feature.part = body->part;
    if (body->core == CORE_FRUSTUM) {
        bool side = core_feature.kind == ABUT_FEATURE_EDGE, rim = core_feature.kind == ABUT_FEATURE_VERTEX;
        rim = rim && body->shape->round.radius[core_feature.index] > 0.0;
        feature.kind = side ? ABUT_FEATURE_SMOOTH : rim ? ABUT_FEATURE_EDGE : core_feature.kind;
    } else if (body->core != CORE_POLYTOPE) {
        feature.index = core_feature.kind == ABUT_FEATURE_EDGE ? 2 : core_feature.index;
        feature.kind = ABUT_FEATURE_SMOOTH;
    }
    return feature;
}
