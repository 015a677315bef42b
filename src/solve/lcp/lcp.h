#pragma once

#include <abut/solve.h>

#include "solve/lcp/active_set.h"
#include "solve/lcp/lemke.h"

/* The coupling of rows: the neighbours of row i are next[start[i]] .. next[start[i + 1] - 1], including i, each once. By index. */
typedef struct lcp_graph {
    int32_t n;
    int32_t *start, *next;
    int32_t start_room, next_room;
} lcp_graph;

struct abut_lcp {
    lcp_system system;
    active_set set;
    lemke_tableau lemke;
    lcp_graph graph, before; /* of the matrix under construction, and of the previous one */
    int32_t *filled, *ahead; /* [n], [n + 1] scratch of lcp_build() */
    double *values;          /* [n] the same */
    void *halves;            /* scratch of abut_lcp_set_rows() */
    int32_t *first, *rows, *seen;
    int32_t filled_room, ahead_room, values_room, halves_room, first_room, rows_room, seen_room;
};

/* Entries (i, columns[0]), (i, columns[1]), ... of a matrix, by index. Only one of two mirrored entries is requested. */
typedef void lcp_entries(const void *matrix, int32_t i, const int32_t *columns, int32_t count, double *entries);

/* A graph of n rows with room for this total number of neighbours. False when there is no memory. */
bool lcp_graph_room(lcp_graph *g, int32_t n, int32_t neighbours);

/* Sets the system to the matrix with these entries and the graph lcp->graph. Keeps earlier results that are still valid. On an error the
 * problem is empty. */
abut_status lcp_build(abut_lcp *lcp, lcp_entries *entries, const void *matrix);

/* Makes the problem empty. */
void lcp_clear(abut_lcp *lcp);

/* abut_lcp_set_rows() and abut_lcp_solve() in the name of `call`; NULL: the log is not told why they refuse. */
abut_status lcp_set_rows(const char *call, abut_lcp *lcp, const abut_lcp_body *bodies, int32_t body_count, const abut_lcp_row *rows,
                         int32_t row_count);
abut_status lcp_solve(const char *call, abut_lcp *lcp, const double *q, const abut_lcp_settings *settings, double *z, double *w,
                      abut_lcp_result *result);
