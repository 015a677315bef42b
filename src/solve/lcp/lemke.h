#pragma once

#include "solve/lcp/system.h"

/*
 * Lemke's complementary pivoting on one island, as a dense tableau.
 *
 * w = A f + q + z0: with z0 large enough there is a solution with f = 0. Pivots keep f . w = 0 but for one pair, of which the one enters
 * the basis when the other has left it, until z0 leaves (a solution) or nothing stops the variable that enters (a ray).
 */

typedef enum lemke_end {
    LEMKE_SOLVED, /* the rows with f > 0 are known */
    LEMKE_RAY,    /* f can grow without end along a ray */
    LEMKE_LIMIT,  /* out of pivots */
    LEMKE_MEMORY
} lemke_end;

typedef struct lemke_tableau {
    double *entries; /* [rows][2 rows + 2] of w, f, z0, and the constants */
    int32_t *basis;  /* [rows] the variable that stands in each row: its column */
    int32_t *place;  /* [rows] */
    double *ratio;   /* [rows] scratch */
    int32_t rows, column_count;
    int32_t basis_room, place_room, ratio_room;
    size_t entries_room;
} lemke_tableau;

void lemke_release(lemke_tableau *t);

/* What is asked: island k with q, by place and scaled; rows with out[] take no part. `scale` is that of q. */
typedef struct lemke_problem {
    const lcp_system *system;
    int32_t k;
    const double *q;
    const bool *out;
    double scale;
    int32_t limit;
} lemke_problem;

/* active, by place, is written for the island: f > 0, on LEMKE_SOLVED; so is ray on LEMKE_RAY. *pivots is how many there were. */
lemke_end lemke_solve(lemke_tableau *t, const lemke_problem *problem, bool *active, double *ray, int32_t *pivots);
