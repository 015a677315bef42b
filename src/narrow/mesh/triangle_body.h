#pragma once

#include "narrow/normal/convex.h"
#include "narrow/mesh/set.h"

/*
 * A triangle as a flat polytope with two faces, so that everything that is known of polytopes is known of it: face 0 looks outside, face 1 the
 * other way. Vertices are the triangle's corners 0, 1, 2; edge 0 joins 0 and 1, edge 1 joins 0 and 2, edge 2 joins 1 and 2.
 */

typedef struct triangle_body {
    convex body;
    polytope surface;
    polytope_face face[2];
    abut_vec3 vertices[3], normals[2];
    double offsets[2];
    double lanes[3 * SCAN_PAD], planes[4 * SCAN_PAD];
    float coarse[4 * SCAN_COARSE_PAD];
    int side; /* of a triangle without a face: the side that it stands for, else -1 */
} triangle_body;

/* The struct must stay where it is. The triangle must have a face. */
void triangle_body_set(triangle_body *made, const mesh_triangle *triangle);

/* Any triangle: one without a face becomes the segment, or point, that it stands for. Its vertices are then the ends of that side. */
void triangle_body_set_any(triangle_body *made, const mesh_triangle *triangle);

/* The name that a feature of the body has in the mesh. */
abut_feature triangle_body_feature(const triangle_body *body, const mesh_triangle *triangle, abut_feature core_feature);

/* Which side of a triangle an edge of that body is: from the corner of that number to the next. */
static inline int triangle_body_side(int32_t edge) { return edge == 0 ? 0 : edge == 1 ? 2 : 1; }
