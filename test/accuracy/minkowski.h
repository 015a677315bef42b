#pragma once

#include <mpfr.h>

#include <abut/math.h>

/*
 * The least depth of two overlapping convex polytopes, with 200 bits. It shares no code with the library.
 *
 * The depth along a direction n is h_A(n) + h_B(-n), with the support functions h. The least depth is the depth along one of the facet normals of A - B: a face
 * normal of A, a reversed face normal of B, or a cross product of an edge of A and an edge of B. The depth along any other direction is no smaller. So all
 * these directions are tried, and none need be proved to be a facet. The directions do not depend on the position of A, so one list serves many positions.
 */

/* A polytope in its own frame. A face is given by three of its vertices, counter-clockwise seen from outside. Further triangles and edges that lie in a face do
 * no harm. */
typedef struct minkowski_body {
    int32_t vertex_count, face_count, edge_count;
    abut_vec3 *vertices;
    int32_t (*faces)[3];
    int32_t (*edges)[2];
} minkowski_body;

void minkowski_body_free(minkowski_body *body);

typedef struct minkowski minkowski;

/* Lists the directions of two bodies with these rotations. The bodies must outlive the list. */
minkowski *minkowski_open(const minkowski_body *a, abut_quat rotation_a, const minkowski_body *b, abut_quat rotation_b);
void minkowski_close(minkowski *of);

/* The sum of the bodies' largest distances of a vertex from their origins. */
double minkowski_size(const minkowski *of);

/* The least depth, rounded, when A's and B's origins are at these places; negative when the bodies are apart: then minus the largest separation along one of
 * the directions. */
double minkowski_depth(const minkowski *of, abut_vec3 place_a, abut_vec3 place_b);

/* The same in plain arithmetic, to find positions. shift: from A's origin to B's. */
double minkowski_rough_depth(const minkowski *of, abut_vec3 shift);

/* The depth along a direction of any length that points from B into A, as a contact's normal does, rounded. */
double minkowski_depth_along(const minkowski *of, abut_vec3 place_a, abut_vec3 place_b, abut_vec3 normal);
