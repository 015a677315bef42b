#pragma once

#include "narrow/facet/mesh.h"

/*
 * The piece of a surface that a rounded triangle stands for in distances: all points of the encompassing sphere whose line to the centre passes through the
 * triangle, with what lies between them and the triangle. A flat triangle is its own piece. Pieces of one sphere fit together without gaps, so a meshed ball is
 * a ball. A piece is convex: the ball, cut by the planes through its centre and the sides, and by that of the triangle.
 */

/* A side of a round piece: the arc above it, on a great circle. */
typedef struct facet_arc {
    abut_vec3 across; /* unit, normal of the plane of the circle, towards the triangle */
    abut_vec3 middle; /* of the side */
    abut_vec3 top;    /* unit, from the centre of the sphere to the middle of the side */
    double sagitta;   /* from the middle of the side to the middle of the arc */
} facet_arc;

/* Scaled lengths, one frame for all. */
typedef struct facet_piece {
    abut_vec3 corner[3];
    int32_t corner_count; /* 3; 1 for a point, the centre of a whole sphere */
    double radius;        /* of the encompassing sphere; INFINITY: flat; of a point, of the sphere around it */
    abut_vec3 normal, foot;
    double foot_radius, height, sagitta;
    facet_arc arc[3]; /* of round pieces: over the side from corner i to the next one */
} facet_piece;

/* side: with its corners. unit: scales lengths. */
void facet_piece_set(facet_piece *piece, const facet_side *side, double unit);

/* The centre of a whole sphere. */
void facet_piece_set_ball(facet_piece *piece, abut_vec3 centre, double radius, double unit);

static inline bool facet_piece_is_flat(const facet_piece *p) { return p->corner_count == 3 && !(p->radius < INFINITY); }
static inline bool facet_piece_is_ball(const facet_piece *p) { return p->corner_count == 1; }

typedef enum facet_spot { FACET_AT_CORNER, FACET_ON_ARC, FACET_ON_SPHERE } facet_spot;

/* The farthest point along a unit direction. For the centre of a whole sphere, that centre. */
typedef struct facet_tip {
    abut_vec3 point;
    facet_spot spot;
    int32_t corner;  /* at a corner */
    abut_vec3 along; /* on an arc: its unit tangent */
    double
        turn; /* on an arc or on the sphere: how far the point moves, along the arc or in all directions, for a turn of the direction by 1 rad */
} facet_tip;

facet_tip facet_piece_tip(const facet_piece *piece, abut_vec3 direction);
