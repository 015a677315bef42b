#pragma once

#include "geom/gauss.h"
#include "narrow/normal/convex.h"

/*
 * Features of a body's core and their Gauss cells ([SNE] section "Gauss maps").
 *
 * Indices are those of the core: faces, edges and vertices of a polytope; edge 0 and vertices 0 (-z) and 1 (+z) of a segment; vertex 0 of a
 * point.
 */

/*
 * The feature that takes part in a contact whose normal points out of the body along `direction` (unit, pair frame): (1) the face at the
 * support vertex that is closest to the direction, if within the angle, else (2) the closest edge there over whose arc the direction lies, if
 * within the angle, else (3) the support vertex. The angle is given by its sine. Next to a face it is at most 0.45 of the smallest angle to a
 * neighbouring face, lest the facets of a fine round body flicker.
 */
abut_feature feature_pick(const convex *body, abut_vec3 direction, double sine);

/* The same where a feature that is extreme along the direction is known: a face, whose normal the direction is, an edge or a vertex. */
abut_feature feature_pick_at(const convex *body, abut_feature extreme, abut_vec3 direction, double sine);

/* The smallest feature that holds all the vertices (1 to 3 indices, repetitions allowed); kind NONE when no face holds them all. */
abut_feature feature_of_vertices(const convex *body, const int32_t *vertices, int32_t count);

/* Outward normal of a face, pair frame. */
static inline abut_vec3 feature_face_normal(const convex *body, int32_t face) {
    return convex_direction_to_pair(body, body->surface->face[face].normal);
}

/* Whether a point in the plane of a face (core frame) lies inside the face and farther than `border` from its edges. */
bool feature_is_inside_face(const convex *body, int32_t face, abut_vec3 point, double border);

/* The face whose normal is closest to the direction. Polytopes only. */
int32_t feature_closest_face(const convex *body, abut_vec3 direction);

/* The two ends of an edge, pair frame. */
static inline void feature_edge(const convex *body, int32_t edge, abut_vec3 end[2]) {
    bool faced = body->core == CORE_POLYTOPE;
    end[0] = convex_to_pair(body, convex_vertex(body, faced ? body->surface->edges[edge].vertex[0] : 0));
    end[1] = convex_to_pair(body, convex_vertex(body, faced ? body->surface->edges[edge].vertex[1] : 1));
}

/* The edge of a polytope that joins two vertices; -1 for none. */
int32_t feature_edge_between(const polytope *surface, int32_t v, int32_t w);

/* Number of corners of a feature's Gauss cell. */
int32_t feature_cell_size(const convex *body, abut_feature feature);

/* The corners of a feature's Gauss cell, pair frame, into cell->corners (room for feature_cell_size()). Polytopes only. */
void feature_cell(const convex *body, abut_feature feature, gauss_cell *cell);

/* Clip a cell of directions by the Gauss cell of the feature, seen with the opposite sign when `opposite`: the directions left are those
 * for which the feature is extreme too. Edges and vertices of polytopes. */
void feature_clip_cell(const convex *body, abut_feature feature, bool opposite, double tolerance, gauss_cell *cell);

/* What the caller is told: a core's feature in terms of the shape. */
static inline abut_feature feature_of_shape(const convex *body, abut_feature core_feature) {
    abut_feature feature = core_feature;
    feature.part = body->part;
    if (body->core != CORE_POLYTOPE) {
        feature.index = core_feature.kind == ABUT_FEATURE_EDGE ? 2 : core_feature.index;
        feature.kind = ABUT_FEATURE_SMOOTH;
    }
    return feature;
}
