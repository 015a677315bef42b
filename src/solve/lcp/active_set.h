#pragma once

#include "solve/lcp/profile.h"

/*
 * The linear complementarity problem of a symmetric positive semidefinite matrix by an active set.
 *
 * w = A f + q >= 0, f >= 0, f . w = 0 are the conditions under which f minimises 1/2 f . A f + q . f over f >= 0: Gauss's principle of
 * least constraint, seen from the contacts. The active set holds the rows that are thought to press (w = 0); the others have f = 0.
 *
 * First many rows join and leave at once (block pivoting, after Kostreva and after Portugal, Judice and Vicente), which takes few rounds
 * and may fail. Then, where it did, one row joins at a time, the one with the most negative w (Lawson and Hanson), along the line on which
 * the others keep w = 0. Rows whose f becomes zero leave. Each such step makes the function smaller, so that none comes back; a row that
 * depends on the active ones is exchanged for the one that leaves, or, when none leaves, shows a direction of no resistance in which the
 * function falls without end: then there is no solution.
 *
 * All vectors are by place and scaled as the system is.
 */

typedef enum active_end {
    ACTIVE_SOLVED,
    ACTIVE_UNBOUNDED, /* there is no solution, and `ray` proves it */
    ACTIVE_LIMIT      /* out of pivots */
} active_end;

typedef struct active_set {
    const lcp_system *system;
    profile_factor factor;
    double *q, *f, *w, *ray;       /* [n] */
    double *x;                     /* [n] scratch */
    double *given, *centre, *best; /* [n] scratch of solve/lcp/proximal.c */
    bool *active;                  /* [n] */
    bool *out;                     /* [n] takes no part: f = 0, w may have any sign */
    bool *dependent;               /* [n] not active because it depends on the active ones */
    bool *barred;                  /* [n] scratch */
    int32_t q_room, f_room, w_room, ray_room, x_room, given_room, centre_room, best_room, active_room, out_room, dependent_room,
        barred_room;
    double scale;          /* of q: what is smaller than 1e-12 of it is rounding */
    double size;           /* the same, in the units of the residual */
    double tolerance;      /* of the residual */
    int32_t pivots, limit; /* of the present island: rows that joined or left, and how many may */
    int32_t factorised;    /* rows of the factor that were computed, counted up */
    double least;          /* smallest pivot that was met in the present island */
} active_set;

/* Room for the system, nothing active, everything zero. False when there is no memory. */
bool active_set_begin(active_set *a, const lcp_system *system);
void active_set_release(active_set *a);

/* Solve island k with the given q, out, scale, tolerance and limit. The rows with active[] are the start; none for a cold one. f and w are
 * written, or for ACTIVE_UNBOUNDED the ray; w = A f + q as computed; active says where f may be above zero. *dropped says that the start
 * was of no use. */
active_end active_set_solve(active_set *a, int32_t k, bool *dropped);

/* w = A f + q for island k, with the ridge of the factor on the diagonal of A. */
void active_set_gradient(active_set *a, int32_t k);

/* The same with twice the digits where f is so large, compared with q, that these matter; else w stays. */
void active_set_refine(active_set *a, int32_t k);

/* Whether island k is solved by f = 0; if so f and w are written. */
bool active_set_trivial(active_set *a, int32_t k);

/* The largest |min(f, w)| of island k with the diagonal scaled to exactly 1, of the size; NaN when one of them is. */
double active_set_residual(const active_set *a, int32_t k);

/* Whether y >= 0 of island k, with A y = r, shows that no f with a sum below 1e7 times the scale brings w above minus the tolerance:
 * y . w = r . f + q . y. y is scaled to a largest entry of 1. */
bool active_set_proves(active_set *a, int32_t k, double *y);
