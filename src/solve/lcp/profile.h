#pragma once

#include "solve/lcp/system.h"

/*
 * The Cholesky factor of some rows and columns of a matrix, those that are active, stored by rows from the first column that is not zero to
 * the diagonal.
 *
 * When rows join or leave, the factor is kept up to the first of them and computed anew behind it. An update by rotations would take about
 * as long in a matrix so narrow, would lose digits, and would make the factor depend on the way to it. As it is, its bits depend on the
 * matrix and on the active rows alone.
 */

typedef struct profile_factor {
    const lcp_system *system;
    int32_t *list;     /* [n] the active places of each island, ascending, from the island's first place on */
    int32_t *position; /* [n] by place: where in its island's list, or -1 */
    int32_t *left;     /* [n] by place: the position of the first column of its row */
    double *inverse;   /* [n] by place: of its diagonal */
    double *entries;   /* by lcp_system.profile */
    double ridge;      /* added to the diagonal; when it changes the factor has to be forgotten */
    int32_t *count;    /* [islands] active */
    int32_t *valid;    /* [islands] so many rows of the list are factorised */
    int32_t list_room, position_room, left_room, inverse_room, count_room, valid_room;
    size_t entries_room;
} profile_factor;

/* Nothing active. False when there is no memory. */
bool profile_begin(profile_factor *p, const lcp_system *system);
void profile_release(profile_factor *p);

/* The matrix has other values in the rows of island k from `place` on: what is active stays, that part of the factor is void. */
void profile_forget(profile_factor *p, int32_t k, int32_t place);

/* What profile_factorise() found. */
typedef struct profile_outcome {
    int32_t made; /* rows that were computed anew */
    double least; /* smallest pivot that was met: far below zero when the matrix is indefinite */
} profile_outcome;

/* Make exactly the rows of island k with active[place] active, and factorise them. A row that depends on those before it is left out:
 * active[place] becomes false and dependent[place], else false, true. */
profile_outcome profile_factorise(profile_factor *p, int32_t k, bool *active, bool *dependent);

/* x becomes the solution of (active rows and columns) solution = x; both by position, island k, which must be factorised. */
void profile_solve(const profile_factor *p, int32_t k, double *x);
