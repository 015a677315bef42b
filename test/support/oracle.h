#pragma once

#include "support/solid.h"

/*
 * An independent referee for contact: everything by exhaustive enumeration over vertices, faces and edge pairs, nothing shared with the
 * library.
 *
 * A body is a polytope, a segment or a point, given by its vertices in the world and swollen by a radius. For two of them the Minkowski
 * difference C = A - B is a polytope whose facet normals m are face normals of A, face normals of B turned round, and cross products of
 * edges whose arcs on the Gauss sphere cross; extent(m) = max over C of m . x. Contact normals are n = -m, from B into A, and the
 * separation along n is -extent(m).
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
    double radius; /* the body is swollen by this */
} oracle_body;

oracle_body oracle_solid(const solid *s, abut_pose pose);
oracle_body oracle_sphere(double radius, abut_pose pose);
/* The segment from -half_length to half_length on the z axis, swollen; a sphere when half_length is 0. */
oracle_body oracle_capsule(double radius, double half_length, abut_pose pose);
void oracle_free(oracle_body *body);

/* max over the body of direction . x, the radius included; direction unit. */
double oracle_support(const oracle_body *body, abut_vec3 direction);

/* How far the point lies outside the surface; negative inside, where it is exact near a face and never too deep. */
double oracle_outside(const oracle_body *body, abut_vec3 point);

/* Separation along n, from B into A: -(h_A(-n) + h_B(n)). */
double oracle_gap_along(const oracle_body *a, const oracle_body *b, abut_vec3 n);

/* The facets of A - B, the radii left out. */
typedef struct oracle_facets {
    int32_t count, capacity;
    abut_vec3 *m;   /* unit, outward */
    double *extent; /* max over A - B of m . x */
    double radius;  /* sum of both radii */
} oracle_facets;

oracle_facets oracle_minkowski(const oracle_body *a, const oracle_body *b);
/* The same with every pair of edges in both senses, without a look at the Gauss map: slow, and a check of the other. */
oracle_facets oracle_minkowski_all(const oracle_body *a, const oracle_body *b);
/*
 * Those of oracle_minkowski(), quick enough for bodies of a thousand vertices (oracle_sweep.c). More directions than the facets' may be
 * among them where it is in doubt whether two arcs cross. That does no harm, here or above: the extent along every direction is that of
 * all vertices, so none makes the least depth smaller than it is.
 */
oracle_facets oracle_minkowski_swept(const oracle_body *a, const oracle_body *b);
void oracle_free_facets(oracle_facets *facets);

/* The unit vector square to two edges; zero for parallel ones. Of edges nearly parallel the cross product is mostly rounding, in every
 * direction; what is left of it here is a turn about the edges, along which the extent hardly changes. */
abut_vec3 oracle_across(abut_vec3 u, abut_vec3 v);

/* What the enumerations are made of: none yet; one more direction with its extent; the normals of all faces of both bodies. */
oracle_facets oracle_no_facets(const oracle_body *a, const oracle_body *b);
void oracle_add_facet(oracle_facets *facets, const oracle_body *a, const oracle_body *b, abut_vec3 m);
void oracle_add_faces(oracle_facets *facets, const oracle_body *a, const oracle_body *b);

/* The axis that separates most, or overlaps least, after A was moved by `shift`. */
typedef struct oracle_axis {
    double separation; /* negative: minus the least depth; positive: apart (then not the distance, but a bound below it) */
    abut_vec3 normal;  /* from B into A */
    int32_t facet;
} oracle_axis;

oracle_axis oracle_separation(const oracle_facets *facets, abut_vec3 shift);

/* The separation by the best facet whose normal is more than 1e-6 away from the axis's: where it is no less, the axis is a tie. */
double oracle_runner_up(const oracle_facets *facets, abut_vec3 shift, oracle_axis axis);

/* How far A must move along the unit vector `direction` for oracle_separation() to be `target`; the largest such way. The separation
 * where A is now must be less than the target. */
double oracle_place(const oracle_facets *facets, abut_vec3 direction, double target);

/* Growth distance by the dual: max over the facets of m . (pB - pA) / (extent(m) + m . (pB - pA)), radii included when both bodies
 * are polytopes with radius 0. `runner_up` receives the largest value among facets whose normal is more than 1e-6 away from the best
 * one's. */
double oracle_growth(const oracle_facets *facets, abut_vec3 shift, abut_vec3 pa, abut_vec3 pb, abut_vec3 *normal, double *runner_up);

/* The value of that quotient for any unit normal n from B into A, radii included: never above the growth distance. */
double oracle_growth_along(const oracle_body *a, const oracle_body *b, abut_vec3 pa, abut_vec3 pb, abut_vec3 n);

/* The least translation of A that parts the bodies, radii included, and the normal along which it goes; negative when they are apart
 * already. By oracle_minkowski_swept(). */
double oracle_least_depth(const oracle_body *a, const oracle_body *b, abut_vec3 *normal);

/* Distance of the two surfaces when apart, minus the least depth when they overlap; radii included. */
double oracle_signed_distance(const oracle_body *a, const oracle_body *b);

/* Distance of the surfaces of both bodies without their radii, also of bodies in each other. */
double oracle_core_distance(const oracle_body *a, const oracle_body *b);

/* Closest point of a triangle to p, and of a segment. */
abut_vec3 oracle_on_segment(abut_vec3 p, abut_vec3 a, abut_vec3 b);
abut_vec3 oracle_on_triangle(abut_vec3 p, abut_vec3 a, abut_vec3 b, abut_vec3 c);
double oracle_segment_distance(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d);

/* Area of the intersection of two convex polygons, counter-clockwise: the crossings of all pairs of border lines that lie in all
 * half-planes, in angular order. */
typedef struct oracle_point2 {
    double x, y;
} oracle_point2;

double oracle_overlap_area(const oracle_point2 *p, int32_t p_count, const oracle_point2 *q, int32_t q_count);
double oracle_polygon_area(const oracle_point2 *p, int32_t count);
/* Area of the convex hull of points. */
double oracle_hull_area(const oracle_point2 *points, int32_t count);
