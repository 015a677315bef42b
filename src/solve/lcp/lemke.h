#pragma once

#include "solve/lcp/system.h"

/*
 * Lemke's complementary pivoting on one island, as a dense tableau.
 *
 * w = A f + q + z0: for a large enough z0 there is a solution with f = 0. Pivots keep f . w = 0 except for one pair: when one of its
 * variables has left the basis, the other enters. This ends when z0 leaves (a solution) or nothing stops the entering variable (a ray).
 */

typedef enum lemke_end {
    LEMKE_SOLVED, /* the rows with f > 0 are known */
    LEMKE_RAY,    /* f can grow without bound along a ray */
    LEMKE_LIMIT,  /* the limit of pivots was reached */
    LEMKE_MEMORY
} lemke_end;

typedef struct lemke_tableau {
    double *entries; /* [rows][2 rows + 2] of w, f, z0, and the constants */
    int32_t *basis;  /* [rows] the column of the variable that is basic in each row */
    int32_t *place;  /* [rows] */
    double *ratio;   /* [rows] scratch */
    int32_t rows, column_count;
    int32_t basis_room, place_room, ratio_room;
    size_t entries_room;
} lemke_tableau;

void lemke_release(lemke_tableau *t);

/* The problem: island k with q, by place and scaled. Rows with out[] take no part. `scale` is that of q. */
typedef struct lemke_problem {
    const lcp_system *system;
    int32_t k;
    const double *q;
    const bool *out;
    double scale;
    int32_t limit;
} lemke_problem;

/* On LEMKE_SOLVED, writes active (f > 0) by place for the island; on LEMKE_RAY, writes ray. *pivots receives the number of pivots. */
lemke_end lemke_solve(lemke_tableau *t, const lemke_problem *problem, bool *active, double *ray, int32_t *pivots);
