#pragma once

#include "geom/planar.h"
#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

/*
 * The overlap of two features seen along a direction: both are projected on the contact plane and intersected there ([SNE] "feature intersection"). Pair's
 * frame.
 */

/* The sine below which a leaning face or edge counts as exactly extreme along the direction. */
#define FEATURE_EXACT_SINE 1e-7

/* The contact plane: two unit axes that make a right-handed frame with the contact normal (from B into A). */
typedef struct contact_plane {
    abut_vec3 first, second, normal;
} contact_plane;

contact_plane contact_plane_of(abut_vec3 normal);

/* The same, written component by component: data that were just written are read back fast only in pieces of the same size. */
void contact_plane_set(contact_plane *plane, double x, double y, double z);

enum { OVERLAP_FEW_CORNERS = 48 };

/* Memory for the intersection of two projected features. Small features need no block. */
typedef struct overlap_scratch {
    planar_corner *corner;
    planar_point *point, *spare;
    void *block; /* NULL while the arrays below suffice */
    planar_corner few_corners[OVERLAP_FEW_CORNERS];
    planar_point few_points[OVERLAP_FEW_CORNERS], few_spares[OVERLAP_FEW_CORNERS];
} overlap_scratch;

/* Makes room for that many corners. False without memory. The struct must stay where it is. */
bool overlap_scratch_take(overlap_scratch *scratch, int32_t corners);
void overlap_scratch_release(overlap_scratch *scratch);

/* The number of corners of a face, edge or vertex. */
int32_t feature_corner_count(const convex *body, abut_feature feature);

/* Projects a feature's corners on the contact plane. outward points from this body towards the other. The corners of a face are written counter-clockwise
 * about the contact normal: backwards is true for A, whose face points against that normal, and false for B. corner has room for feature_corner_count(). */
void feature_project(const contact_plane *plane, const convex *body, abut_feature feature, abut_vec3 outward, bool backwards,
                     planar_corner *corner);

/* A vertex over the inside of a face, farther than the weld distance from the face's border; along points out of the faced body. *on_face receives the foot. */
bool feature_vertex_on_face(const convex *faced, int32_t face, abut_vec3 along, abut_vec3 vertex, double weld, abut_vec3 *on_face);

/* Two edges that cross, seen along the direction, farther than the weld distance from their ends, at an angle whose sine is above `parallel`. */
bool feature_edges_cross(const convex *a, int32_t edge_a, const convex *b, int32_t edge_b, abut_vec3 direction, double weld,
                         double parallel, abut_vec3 *on_a, abut_vec3 *on_b);

/* Intersects two features that meet in one point, seen along the direction from A to B: a vertex over a face, two edges that cross, or two points. on_a and
 * on_b receive the points of the cores. Returns false for all other features. Also returns false when the point is nearer to a border or an end than `weld`,
 * and for edges that are parallel up to feature_sine. */
bool feature_crossing(const convex *a, abut_feature fa, const convex *b, abut_feature fb, abut_vec3 direction, double weld,
                      double feature_sine, abut_vec3 *on_a, abut_vec3 *on_b);

/* Whether the features that are exactly extreme along the normal overlap, seen along it. The normal is then a local minimum of the depth. Also true when
 * there is no memory to find out. */
bool features_overlap(const convex *a, const convex *b, const contact_normal *normal);
