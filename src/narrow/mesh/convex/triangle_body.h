#pragma once

#include "narrow/normal/convex.h"
#include "narrow/mesh/set.h"

/*
 * A triangle as a flat polytope with two faces, so that all polytope functions accept it. Face 0 has the triangle's normal, face 1 the
 * opposite one. Vertices are the triangle's corners 0, 1, 2. Edge 0 joins 0 and 1, edge 1 joins 0 and 2, edge 2 joins 1 and 2.
 */

typedef struct triangle_body {
    convex body;
    polytope surface;
    polytope_face face[2];
    abut_vec3 vertices[3], normals[2];
    double offsets[2];
    double lanes[3 * SCAN_PAD], planes[4 * SCAN_PAD];
    float coarse[4 * SCAN_COARSE_PAD];
    int side; /* for a triangle without a face: the side that represents it; else -1 */
} triangle_body;

/* The triangle must have a face. `made` holds pointers to itself and must not be moved. */
void triangle_body_set(triangle_body *made, const mesh_triangle *triangle);

/* Accepts any triangle. One without a face becomes its longest side, a segment, or a point; the vertices are then the ends of that side. */
void triangle_body_set_any(triangle_body *made, const mesh_triangle *triangle);

/* The mesh feature that a feature of the body stands for. */
abut_feature triangle_body_feature(const triangle_body *body, const mesh_triangle *triangle, abut_feature core_feature);

/* The side of the triangle that an edge of the body is. Side i runs from corner i to the next. */
static inline int triangle_body_side(int32_t edge) { return edge == 0 ? 0 : edge == 1 ? 2 : 1; }
