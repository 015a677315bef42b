#pragma once

#include "narrow/normal/convex.h"
#include "narrow/mesh/set.h"

/*
 * Which triangles a convex body clearly does not meet. Of those whose bounds meet the body's most are such, and a direction that separates
 * one of them often separates the next: what the body's extent along it is need be found once.
 *
 * Clearly is meant as in separating.h: every method then finds them apart, so that to look here first changes the time and never the
 * answer.
 */

enum { MESH_WAYS = 12 };

typedef struct mesh_way {
    abut_vec3 direction; /* unit, from the body */
    double reach;        /* how far the body reaches along it, from the set's origin [length] */
} mesh_way;

typedef struct mesh_apart {
    const convex *body;
    double enough, more; /* a gap must be larger than this, and that times the triangle's size */
    mesh_way way[MESH_WAYS];
    int32_t count, next; /* next: the oldest one, when all are taken */
} mesh_apart;

void mesh_apart_begin(mesh_apart *known, const convex *body, double margin);

/* How a body lies to a triangle, as far as that is clear at a glance. */
typedef enum mesh_sight {
    MESH_UNCLEAR,
    MESH_APART,    /* farther from it than the margin */
    MESH_BY_NORMAL /* in it, and less deep along directions less than a degree from its normal than along any other */
} mesh_sight;

/* A facet of the difference of a body and a triangle_body, by its features: a face of one, or edges of both. */
typedef struct mesh_facet {
    abut_feature of_body, of_triangle;
} mesh_facet;

/* The triangle must have a face. *best receives, where that is unclear, the facet along which they are least deep in each other; both of
 * kind NONE when that is not known. */
mesh_sight mesh_apart_look(const mesh_apart *known, const mesh_triangle *t, mesh_facet *best);

/* A direction that separates the body from a triangle, found otherwise; of any length. */
void mesh_apart_learn(mesh_apart *known, abut_vec3 direction);
