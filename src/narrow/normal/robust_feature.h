#pragma once

#include "narrow/normal/convex.h"
#include "narrow/normal/gjk_result.h"

/*
 * Whether features are the closest or extreme ones by more than rounding error. Results of robust features can be computed from the features alone. They are
 * the same to the last bit, whether a search or the cache of an earlier call proposed the features.
 */

/* The margin by which a point must lie inside its feature, and by which no other feature may be as good. A sine, or relative to the size. It is larger than
 * every tolerance for ties. */
#define ROBUST_MARGIN 1e-6

/* An edge shorter than this, relative to the size, is never robust: a search takes its two ends for one point. */
#define ROBUST_LEAST 1e-10

/* Whether all neighbours of the vertex lie lower along the direction by the margin. Polytopes; pair's frame. */
bool robust_vertex(const convex *body, int32_t vertex, abut_vec3 direction);

/* Whether both faces of the edge fall off along the direction by the margin. along runs from the edge's first to its second end. Polytopes; pair's frame. */
bool robust_edge(const convex *body, int32_t index, abut_vec3 along, abut_vec3 direction);

/* Whether the point, which lies in the plane of the face, is inside the face by the margin. Pair's frame. */
bool robust_inside_face(const convex *faced, int32_t face, abut_vec3 point);

/* Computes the closest points of two edges, an edge and a vertex, or two vertices from their ends; the fields on_a to direction. False where the closest
 * point of an edge is near an end or beyond it, and for edges that are nearly parallel. */
bool robust_points(abut_feature_kind kind_a, const abut_vec3 *a, abut_feature_kind kind_b, const abut_vec3 *b, gjk_result *found);

/* Computes the closest points of two separated cores from two features. Returns false when these are not robustly the closest ones. Writes all fields but
 * `supports`. */
bool robust_distance(const convex *a, const convex *b, abut_feature feature_a, abut_feature feature_b, gjk_result *found);
