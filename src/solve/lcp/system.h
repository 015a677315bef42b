#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The sparse symmetric matrix of a linear complementarity problem, in the order of its factorisation.
 *
 * Rows that are coupled, directly or through others, form an island; islands are solved one by one. Within an island, the order of rows
 * keeps the factor narrow. A row has two numbers: its index is the caller's, its place is the position in this order. Rows and columns are
 * scaled by powers of two so that the diagonal lies between 1/2 and 2. The scaling loses no digit, and tolerances mean the same for every
 * unit and every mix of masses.
 */

typedef struct lcp_system {
    int32_t n, island_count;
    int32_t *index;          /* [n] by place */
    int32_t *place;          /* [n] by index */
    int32_t *island;         /* [island_count + 1] its first place */
    int32_t *first;          /* [n + 1] by place, into column and value */
    int32_t *column;         /* places, ascending in each row, the diagonal included */
    double *value;           /* scaled */
    double *scale;           /* [n] by place: value = scale of the row times entry times scale of the column */
    double *diagonal;        /* [n] by place: of the values */
    double *unit;            /* [n] by place: 1 / sqrt(diagonal), 1 for 0 */
    size_t *profile;         /* [n + 1] by place: beginning of a row of the factor; a row has room from its first column to the diagonal */
    int32_t *degree, *queue; /* scratch of solve/lcp/order.c */
    int32_t index_room, place_room, island_room, first_room, column_room, value_room, scale_room, diagonal_room, unit_room, profile_room,
        degree_room, queue_room;
} lcp_system;

/* Room for n rows with this total number of entries. False when there is no memory. */
bool lcp_system_room(lcp_system *s, int32_t n, int32_t entries);
void lcp_system_release(lcp_system *s);

/* Finds islands and order from a graph: the neighbours of row i are graph[start[i]] .. graph[start[i + 1] - 1]; i may be among them. Fills
 * index, place, island. */
void lcp_system_order(lcp_system *s, const int32_t *start, const int32_t *graph);

/* Computes the profile from first and column. */
void lcp_system_profile(lcp_system *s);

/* Copies the matrix of island `k` into a dense matrix, row by row. */
void lcp_system_dense(const lcp_system *s, int32_t k, double *dense);

/* w + (column j of the matrix) times f */
void lcp_system_add_column(const lcp_system *s, int32_t j, double f, double *w);

/* A power of two s with s * s within a factor of 2 of 1 / d. 1 if d is not positive. */
double lcp_scale_of(double d);
