#pragma once

#include "support/solid.h"

/*
 * An independent oracle for contact. It enumerates all vertices, faces and edge pairs, and shares no code with the library.
 *
 * A body is a polytope, a segment or a point, given by its vertices in the world and extended by a radius. For two bodies the Minkowski difference C = A - B is
 * a polytope whose facet normals m are face normals of A, negated face normals of B, and cross products of edges whose arcs on the Gauss sphere cross.
 * extent(m) = max over C of m . x. Contact normals are n = -m, from B into A, and the separation along n is -extent(m).
 */

typedef struct oracle_edge {
    int32_t vertex[2];
    int32_t face[2];     /* -1 for a segment */
    abut_vec3 direction; /* unit */
} oracle_edge;

typedef struct oracle_body {
    int32_t vertex_count;
    abut_vec3 *vertices; /* world */
    int32_t face_count;
    int32_t *face_first; /* [face_count + 1] */
    int32_t *face_vertices;
    abut_vec3 *normals;
    double *offsets;
    int32_t edge_count;
    oracle_edge *edges;
    double radius; /* the body is extended by this radius */
} oracle_body;

oracle_body oracle_solid(const solid *s, abut_pose pose);
oracle_body oracle_sphere(double radius, abut_pose pose);
/* The segment from -half_length to half_length on the z axis, extended by a radius; a sphere if half_length is 0. */
oracle_body oracle_capsule(double radius, double half_length, abut_pose pose);
void oracle_free(oracle_body *body);

/* max over the body of direction . x, the radius included; direction unit. */
double oracle_support(const oracle_body *body, abut_vec3 direction);

/* Signed distance of the point from the surface, positive outside. Inside it is negative, exact near a face, and never too deep. */
double oracle_outside(const oracle_body *body, abut_vec3 point);

/* Separation along n, from B into A: -(h_A(-n) + h_B(n)). */
double oracle_gap_along(const oracle_body *a, const oracle_body *b, abut_vec3 n);

/* The facets of A - B, without the radii. */
typedef struct oracle_facets {
    int32_t count, capacity;
    abut_vec3 *m;   /* unit, outward */
    double *extent; /* max over A - B of m . x */
    double radius;  /* sum of both radii */
} oracle_facets;

oracle_facets oracle_minkowski(const oracle_body *a, const oracle_body *b);
/* The same from every pair of edges in both senses, without the Gauss map. Slow; it checks the other function. */
oracle_facets oracle_minkowski_all(const oracle_body *a, const oracle_body *b);
/*
 * The facets of oracle_minkowski(), fast enough for bodies of a thousand vertices (oracle_sweep.c). If it is uncertain whether two arcs cross, extra directions
 * may be included, here and above. They do no harm: the extent along every direction is that of all vertices, so no direction makes the least depth too small.
 */
oracle_facets oracle_minkowski_swept(const oracle_body *a, const oracle_body *b);
void oracle_free_facets(oracle_facets *facets);

/* The unit vector perpendicular to two edges; zero for parallel edges. For nearly parallel edges the cross product is mostly rounding error in all
 * directions. The remaining error here is a rotation about the edges, which barely changes the extent. */
abut_vec3 oracle_across(abut_vec3 u, abut_vec3 v);

/* Building blocks of the enumerations: an empty list; adding a direction with its extent; the normals of all faces of both bodies. */
oracle_facets oracle_no_facets(const oracle_body *a, const oracle_body *b);
void oracle_add_facet(oracle_facets *facets, const oracle_body *a, const oracle_body *b, abut_vec3 m);
void oracle_add_faces(oracle_facets *facets, const oracle_body *a, const oracle_body *b);

/* The axis of largest separation, or of least overlap, after A is moved by `shift`. */
typedef struct oracle_axis {
    double separation; /* negative: minus the least depth; positive: a lower bound of the distance */
    abut_vec3 normal;  /* from B into A */
    int32_t facet;
} oracle_axis;

oracle_axis oracle_separation(const oracle_facets *facets, abut_vec3 shift);

/* The separation by the best facet with a normal more than 1e-6 away from the axis's normal. If it is no less, the axis is tied. */
double oracle_runner_up(const oracle_facets *facets, abut_vec3 shift, oracle_axis axis);

/* The displacement of A along the unit vector `direction` at which oracle_separation() is `target`; the largest such displacement. The separation at the
 * current position must be less than the target. */
double oracle_place(const oracle_facets *facets, abut_vec3 direction, double target);

/* Growth distance by the dual: max over the facets of m . (pB - pA) / (extent(m) + m . (pB - pA)), radii included when both bodies are polytopes with radius
 * 0. `runner_up` receives the largest value among facets with a normal more than 1e-6 away from the best one's. */
double oracle_growth(const oracle_facets *facets, abut_vec3 shift, abut_vec3 pa, abut_vec3 pb, abut_vec3 *normal, double *runner_up);

/* The value of this quotient for any unit normal n from B into A, radii included. It never exceeds the growth distance. */
double oracle_growth_along(const oracle_body *a, const oracle_body *b, abut_vec3 pa, abut_vec3 pb, abut_vec3 n);

/* The least translation of A that separates the bodies, radii included, and its normal. Negative if they are already apart. By oracle_minkowski_swept(). */
double oracle_least_depth(const oracle_body *a, const oracle_body *b, abut_vec3 *normal);

/* Distance of the two surfaces if apart, minus the least depth if they overlap; radii included. */
double oracle_signed_distance(const oracle_body *a, const oracle_body *b);

/* Distance of the surfaces of both bodies without their radii, also for overlapping bodies. */
double oracle_core_distance(const oracle_body *a, const oracle_body *b);

/* Closest point to p of a segment, and of a triangle. */
abut_vec3 oracle_on_segment(abut_vec3 p, abut_vec3 a, abut_vec3 b);
abut_vec3 oracle_on_triangle(abut_vec3 p, abut_vec3 a, abut_vec3 b, abut_vec3 c);
double oracle_segment_distance(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d);

/* Area of the intersection of two convex counter-clockwise polygons: takes the crossings of all pairs of border lines that lie in all half-planes, in
 * angular order. */
typedef struct oracle_point2 {
    double x, y;
} oracle_point2;

double oracle_overlap_area(const oracle_point2 *p, int32_t p_count, const oracle_point2 *q, int32_t q_count);
double oracle_polygon_area(const oracle_point2 *p, int32_t count);
/* Area of the convex hull of points. */
double oracle_hull_area(const oracle_point2 *points, int32_t count);
