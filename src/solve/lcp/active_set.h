#pragma once

#include "solve/lcp/profile.h"

/*
 * An active-set method for the linear complementarity problem of a symmetric positive semidefinite matrix.
 *
 * w = A f + q >= 0, f >= 0, f . w = 0 are the conditions under which f minimises 1/2 f . A f + q . f over f >= 0. For contacts this is
 * Gauss's principle of least constraint. The active set holds the rows that are assumed to press (w = 0); the others have f = 0.
 *
 * First, many rows join and leave at once: block pivoting, after Kostreva and after Portugal, Judice and Vicente. This takes few rounds and
 * may fail. If it fails, one row joins at a time, the one with the most negative w (Lawson and Hanson), along the line on which the active
 * rows keep w = 0. Rows whose f becomes zero leave. Each step reduces the function, so no active set occurs twice. A row that depends on
 * the active rows is exchanged for the row that leaves. If none leaves, there is a direction without resistance in which the function falls
 * without bound; then there is no solution.
 *
 * All vectors are by place and scaled like the system.
 */

typedef enum active_end {
    ACTIVE_SOLVED,
    ACTIVE_UNBOUNDED, /* there is no solution; `ray` proves it */
    ACTIVE_LIMIT      /* the limit of pivots was reached */
} active_end;

typedef struct active_set {
    const lcp_system *system;
    profile_factor factor;
    double *q, *f, *w, *ray;       /* [n] */
    double *x;                     /* [n] scratch */
    double *given, *centre, *best; /* [n] scratch of solve/lcp/proximal.c */
    bool *active;                  /* [n] */
    bool *out;                     /* [n] takes no part: f = 0, w has any sign */
    bool *dependent;               /* [n] not active because it depends on active rows */
    bool *barred;                  /* [n] scratch */
    int32_t q_room, f_room, w_room, ray_room, x_room, given_room, centre_room, best_room, active_room, out_room, dependent_room,
        barred_room;
    double scale;          /* of q: values below 1e-12 of it are rounding error */
    double size;           /* the same, in the units of the residual */
    double tolerance;      /* of the residual */
    int32_t pivots, limit; /* in the present island: number of rows that joined or left, and its limit */
    int32_t factorised;    /* running count of computed rows of the factor */
    double least;          /* smallest pivot in the present island */
} active_set;

/* Makes room for the system; nothing active, everything zero. False when there is no memory. */
bool active_set_begin(active_set *a, const lcp_system *system);
void active_set_release(active_set *a);

/* Solves island k with the given q, out, scale, tolerance and limit. Rows with active[] set are the start; none for a cold start. Writes f
 * and w, or for ACTIVE_UNBOUNDED the ray. w = A f + q as computed; active tells where f may be positive. *dropped tells that the start was
 * useless. */
active_end active_set_solve(active_set *a, int32_t k, bool *dropped);

/* w = A f + q for island k; the diagonal of A includes the ridge of the factor. */
void active_set_gradient(active_set *a, int32_t k);

/* The same with twice the digits if f is so large relative to q that they matter; else w is unchanged. */
void active_set_refine(active_set *a, int32_t k);

/* True when f = 0 solves island k; then writes f and w. */
bool active_set_trivial(active_set *a, int32_t k);

/* The largest |min(f, w)| of island k with the diagonal scaled to exactly 1, relative to the size; NaN when an entry is NaN. */
double active_set_residual(const active_set *a, int32_t k);

/* True when y >= 0 of island k, with A y = r, proves that no f with a sum below 1e7 times the scale brings w above minus the tolerance: y .
 * w = r . f + q . y. Scales y to a largest entry of 1. */
bool active_set_proves(active_set *a, int32_t k, double *y);
