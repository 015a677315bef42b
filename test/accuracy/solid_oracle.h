#pragma once

#include <abut/mesh.h>

#include "accuracy/quad.h"

/*
 * Two closed meshes, judged with 113 bits and without any code of the library: whether the solids overlap, how far they are apart, and how deep they overlap.
 *
 * Rough double arithmetic only chooses what is computed with 113 bits, with wide margins.
 */

typedef struct judged_edge {
    int32_t from, to, left, right; /* vertices; the third corners of its two triangles */
} judged_edge;

typedef struct judged_body {
    int32_t vertex_count, triangle_count, edge_count;
    abut_vec3 *vertex;
    int32_t (*triangle)[3];
    judged_edge *edge;
    qvec *place;      /* of the vertices in the world */
    abut_vec3 *rough; /* rounded */
    double size;      /* the largest coordinate of a vertex, in the mesh's frame */
} judged_body;

/* The surface of a mesh. Vertices at one place become one. */
judged_body judged_body_of(const abut_shape *mesh);
void judged_body_free(judged_body *body);
void judged_body_place(judged_body *body, abut_pose pose);
void judged_body_move(judged_body *body, qvec by);

/* A list of the normals of A - B for two convex bodies, as placed; translations keep it valid. */
typedef struct judged_normals judged_normals;
judged_normals *judged_normals_make(const judged_body *a, const judged_body *b);
void judged_normals_free(judged_normals *of);

/* The least depth of convex bodies as they are placed now; negative: they are apart. */
quad judged_depth(const judged_normals *of);
/* A direction of the least depth, from A to B, rounded. */
abut_vec3 judged_direction(const judged_normals *of);
/* The length of the way along a direction from B at its present place to where the bodies only touch, rounded. */
double judged_way(const judged_normals *of, abut_vec3 direction);
/* The depth along a direction from A to B, of any length; for any bodies. */
quad judged_depth_along(const judged_body *a, const judged_body *b, abut_vec3 direction);

/* The closest points of two surfaces. */
typedef struct judged_gap {
    quad distance; /* 0 where they cross */
    qvec on_a, on_b;
} judged_gap;

judged_gap judged_closest(const judged_body *a, const judged_body *b);

/* The distance of a point from a surface, rounded. */
double judged_distance_from(const judged_body *body, qvec point);

/* Whether the solids have interior points in common. Bodies that only touch do not: moved by a very small length in one of four directions, they are
 * apart. A body that just fits between two walls is not apart then, and seems to overlap them. */
bool judged_overlap(judged_body *a, const judged_body *b);

/* Whether they do not just fit: a side goes through a triangle beside its border, or a point `inwards` under one of the surfaces is in both solids. Many
 * such points are tried. */
bool judged_overlap_clearly(const judged_body *a, const judged_body *b, double inwards);

/* Whether no two triangles of a surface go through each other, beside those with a common vertex. */
bool judged_is_simple(const judged_body *body);
