#pragma once

#include "narrow/normal/convex.h"
#include "narrow/normal/gjk_result.h"

/*
 * Whether features are clearly the ones, by more than rounding can blur. What is clear can be computed from the features alone, and is the same
 * to the last bit whoever proposed them: a search, or the memory of an earlier call.
 */

/* How far from its border, and how far from any other feature that might do as well: as a sine, or relative to the size. More than what counts
 * as the same anywhere else. */
#define ROBUST_MARGIN 1e-6

/* What is smaller than this, relative to the size, is never clear: the ends of so short an edge are one point to a search. */
#define ROBUST_LEAST 1e-10

/* Polytopes; directions, edges and points in the pair's frame. All neighbours of the vertex lie clearly lower along the direction. */
bool robust_vertex(const convex *body, int32_t vertex, abut_vec3 direction);

/* Both faces of the edge fall off clearly from it along the direction. along: from its first to its second end. */
bool robust_edge(const convex *body, int32_t index, abut_vec3 along, abut_vec3 direction);

/* The point, in the plane of the face, lies clearly inside its border. */
bool robust_inside_face(const convex *faced, int32_t face, abut_vec3 point);

/* The closest points of two cores that are apart, when they are clearly those of the two features; all but `supports` is written then. */
bool robust_distance(const convex *a, const convex *b, abut_feature feature_a, abut_feature feature_b, gjk_result *found);
