#pragma once

#include "narrow/normal/convex.h"
#include "narrow/mesh/set.h"

/*
 * Rejects triangles that are clearly apart from a convex body. Most triangles whose bounds meet the body's bounds are apart from it. A
 * direction that separates one of them often separates the next, so the body's extent along it is stored.
 *
 * "Clearly" has the meaning of separating.h: every other method finds these triangles apart, too. This test therefore changes the time and
 * never the result.
 */

enum { MESH_WAYS = 12 };

typedef struct mesh_way {
    abut_vec3 direction; /* unit, from the body */
    double reach;        /* the body's support along it, measured from the set's origin [length] */
} mesh_way;

typedef struct mesh_apart {
    const convex *body;
    double enough, more; /* a gap is clear above enough + more * (size of the triangle) */
    mesh_way way[MESH_WAYS];
    int32_t count, next; /* next: the oldest entry, replaced when all are in use */
} mesh_apart;

void mesh_apart_begin(mesh_apart *known, const convex *body, double margin);

/* How a body lies relative to a triangle, if that is clear. */
typedef enum mesh_sight {
    MESH_UNCLEAR,
    MESH_APART,    /* farther apart than the margin */
    MESH_BY_NORMAL /* they overlap, and the depth along directions within a degree of the triangle's normal is less than along any other */
} mesh_sight;

/* A facet of the difference of a body and a triangle_body, given by its features: a face of one of them, or an edge of each. */
typedef struct mesh_facet {
    abut_feature of_body, of_triangle;
    double close,
        others; /* least depth along directions within a degree of the triangle's normal, and along others; only with MESH_BY_NORMAL */
} mesh_facet;

/* The triangle must have a face. If the result is not MESH_APART, *best receives the facet of least depth; both features are of kind NONE
 * if it is not known. */
mesh_sight mesh_apart_look(const mesh_apart *known, const mesh_triangle *t, mesh_facet *best);

/* The same. If the result is MESH_APART, *away receives the direction that separates the two, of any length. */
mesh_sight mesh_apart_look_away(const mesh_apart *known, const mesh_triangle *t, mesh_facet *best, abut_vec3 *away);

/* Stores a direction that another method found to separate the body from a triangle; of any length. */
void mesh_apart_learn(mesh_apart *known, abut_vec3 direction);
