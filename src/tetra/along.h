#pragma once

#include "tetra/pair.h"

/*
 * The smallest displacement that separates a pair along one normal, in closed form.
 *
 * Only the components along the normal count: moves u_i towards the other body, which bring heights (pair.h) to h_i + u_i <= c. With
 * S = sum u, the Karush-Kuhn-Tucker conditions are u_i + S <= 0, with equality where the plane does not hold the vertex back. With t = -S,
 * every vertex therefore moves by
 *
 *     u_i = min(c - h_i, t),   t + sum min(c - h_i, t) = 0,   t >= 0.
 *
 * If the plane pushes the k highest vertices, and their mean is mean_k, then c = mean_k - t (m + 1 - k) / k. The plane is where both bodies
 * press equally, with t = pull tau for each. tau is the maximum of coupling_kl (mean_k + mean_l) over all k and l.
 */

/* Vertices that must end on the plane whether or not that helps: the equalities of the paper. One bit per vertex. */
typedef struct along_forced {
    unsigned vertices[2]; /* of A, of B */
} along_forced;

typedef struct along {
    abut_vec3 normal;    /* unit, from B into A */
    double height[2][4]; /* towards the other body; scaled, relative to the pair's origin */
    double move[2][4];   /* towards the other body; usually negative */
    double pull[2];      /* t, minus the sum of the moves */
    double force[2];     /* multiplier of the volume ratio; 0 where the bound is not active */
    double plane;        /* c of B: dot(normal, x) on the plane */
    double overlap;      /* rigid overlap; negative where there is a gap */
    double cost;         /* depth^2 over the larger weight, scaled */
} along;

/* Unit normal. forced may be NULL. */
along along_solve(const pair *p, abut_vec3 normal, const along_forced *forced);

/* The same from given heights: computes plane, pulls, moves and cost. */
void along_settle(const pair *p, const along_forced *forced, along *found);

/* Unit normal. Keeps the pair's least volume ratio (along_bounded.c). A body without volume is exempt. */
along along_solve_bounded(const pair *p, abut_vec3 normal);

/* Tries n and -n, and replaces *best where the cost is smaller. */
void along_take_less(const pair *p, abut_vec3 normal, along *best);

/* Rigid overlap along a unit normal; negative where there is a gap. */
double along_overlap(const pair *p, abut_vec3 normal);

/* Signed direction towards the other body. */
static inline abut_vec3 along_towards(int body, abut_vec3 normal) { return body == PAIR_A ? abut_neg(normal) : normal; }

/* Gradients of the barycentric coordinates of a tetrahedron; false if it has no volume. */
bool along_gradients(const pair_body *body, abut_vec3 gradient[4]);
