#pragma once

#include "solve/lcp/system.h"

/*
 * The Cholesky factor of the active rows and columns of a matrix, stored by rows from the first nonzero column to the diagonal.
 *
 * When rows join or leave, the factor is kept up to the first of them and recomputed behind it. An update by rotations would take about as
 * long in such a narrow matrix, would lose digits, and would make the factor depend on its history. As it is, its bits depend only on the
 * matrix and the active rows.
 */

typedef struct profile_factor {
    const lcp_system *system;
    int32_t *list;     /* [n] the active places of each island, ascending, starting at the island's first place */
    int32_t *position; /* [n] by place: its position in the island's list, or -1 */
    int32_t *left;     /* [n] by place: position of the first column of its row */
    double *inverse;   /* [n] by place: inverse of its diagonal entry */
    double *entries;   /* by lcp_system.profile */
    double ridge;      /* added to the diagonal; after a change the factor must be forgotten */
    int32_t *count;    /* [islands] number of active rows */
    int32_t *valid;    /* [islands] number of factorised rows of the list */
    int32_t list_room, position_room, left_room, inverse_room, count_room, valid_room;
    size_t entries_room;
} profile_factor;

/* Starts with nothing active. False when there is no memory. */
bool profile_begin(profile_factor *p, const lcp_system *system);
void profile_release(profile_factor *p);

/* The matrix has new values in the rows of island k from `place` on. Active rows stay active; that part of the factor is invalid. */
void profile_forget(profile_factor *p, int32_t k, int32_t place);

/* The result of profile_factorise(). */
typedef struct profile_outcome {
    int32_t made; /* number of rows computed */
    double least; /* smallest pivot: far below zero when the matrix is indefinite */
} profile_outcome;

/* Factorises exactly the rows of island k with active[place]. A row that depends on rows before it is left out: its active[place] becomes
 * false and its dependent[place] true; for other rows dependent[place] becomes false. */
profile_outcome profile_factorise(profile_factor *p, int32_t k, bool *active, bool *dependent);

/* Replaces x by the solution of (active rows and columns) solution = x. By position; island k must be factorised. */
void profile_solve(const profile_factor *p, int32_t k, double *x);
