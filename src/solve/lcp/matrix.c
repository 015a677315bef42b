/* abut_lcp_set_matrix(): a matrix given by all its entries. */
#include <float.h>
#include <math.h>

#include "base/argument.h"
#include "solve/lcp/lcp.h"

/* n * n must fit a number of entries. */
enum { LARGEST = 46340 };

/* Mirrored entries may differ by this share of the mean of their diagonal entries. */
static const double asymmetry = 1e-9;

typedef struct dense {
    const double *matrix;
    int32_t n;
} dense;

static double dense_at(const dense *d, int32_t i, int32_t j) { return d->matrix[(size_t)i * (size_t)d->n + (size_t)j]; }

/* From the lower triangle. */
static void dense_entries(const void *matrix, int32_t i, const int32_t *columns, int32_t count, double *entries) {
    const dense *d = matrix;
    for (int32_t e = 0; e < count; e++) {
        entries[e] = i >= columns[e] ? dense_at(d, i, columns[e]) : dense_at(d, columns[e], i);
    }
}

static bool is_finite(double x) { return fabs(x) <= DBL_MAX; }

static bool symmetric(const dense *d, int32_t i, int32_t j) {
    double difference = dense_at(d, i, j) - dense_at(d, j, i);
    return difference == 0.0 || fabs(difference) <= asymmetry * sqrt(dense_at(d, i, i)) * sqrt(dense_at(d, j, j));
}

/* Words for what check() found: the first entry that is to blame. */
static abut_status refuse_matrix(abut_status status, const char *call, const dense *d) {
    for (int32_t i = 0; i < d->n; i++) {
        for (int32_t j = 0; j <= i; j++) {
            double x = dense_at(d, i, j), y = dense_at(d, j, i);
            if (status == ABUT_ERROR_NOT_FINITE && !(is_finite(x) && is_finite(y))) {
                return refuse(status, call, "matrix[%d][%d] or its mirror is not finite", (int)i, (int)j);
            }
            if (status == ABUT_ERROR_INVALID_ARGUMENT && i != j && !symmetric(d, i, j)) {
                return refuse(status, call, "matrix is not symmetric: [%d][%d] is %.17g, [%d][%d] is %.17g", (int)i, (int)j, x, (int)j,
                              (int)i, y);
            }
        }
    }
    return status;
}

static abut_status check(const dense *d) {
    bool fine = true, definite = true, finite = true;
    for (int32_t i = 0; i < d->n; i++) {
        definite = definite && !(dense_at(d, i, i) < 0.0);
        finite = finite && is_finite(dense_at(d, i, i));
        for (int32_t j = 0; j < i; j++) {
            fine = fine && symmetric(d, i, j);
            finite = finite && is_finite(dense_at(d, i, j)) && is_finite(dense_at(d, j, i));
        }
    }
    return !finite ? ABUT_ERROR_NOT_FINITE : !definite ? ABUT_ERROR_INDEFINITE : fine ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

/* The graph of the nonzero entries below the diagonal. */
static bool find_graph(abut_lcp *lcp, const dense *d) {
    int32_t n = d->n;
    lcp_graph *g = &lcp->graph;
    if (!lcp_graph_room(g, n, 0)) {
        return false;
    }
    for (int32_t i = 0; i <= n; i++) {
        g->start[i] = 0;
    }
    /* start[i + 1] is first the number of neighbours of i, then the place where the next neighbour of i is written. */
    for (int32_t i = 0; i < n; i++) {
        g->start[i + 1]++;
        for (int32_t j = 0; j < i; j++) {
            int32_t coupled = dense_at(d, i, j) != 0.0;
            g->start[i + 1] += coupled;
            g->start[j + 1] += coupled;
        }
    }
    int32_t sum = 0;
    for (int32_t i = 0; i < n; i++) {
        int32_t degree = g->start[i + 1];
        g->start[i + 1] = sum;
        sum += degree;
    }
    if (!lcp_graph_room(g, n, sum)) {
        return false;
    }
    for (int32_t i = 0; i < n; i++) {
        for (int32_t j = 0; j < i; j++) {
            if (dense_at(d, i, j) != 0.0) {
                g->next[g->start[i + 1]++] = j;
                g->next[g->start[j + 1]++] = i;
            }
        }
        g->next[g->start[i + 1]++] = i;
    }
    return true;
}

abut_status abut_lcp_set_matrix(abut_lcp *lcp, int32_t n, const double *matrix) {
    if (argument_is_null(CALL_NAME, "lcp", lcp)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_outside(CALL_NAME, "n", n, 0, LARGEST) || (n > 0 && argument_is_null(CALL_NAME, "matrix", matrix))) {
        lcp_clear(lcp);
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    dense d = {matrix, n};
    abut_status status = check(&d);
    if (status == ABUT_OK && !find_graph(lcp, &d)) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (status != ABUT_OK) {
        lcp_clear(lcp);
        return refuse_matrix(status, CALL_NAME, &d);
    }
    status = lcp_build(lcp, dense_entries, &d);
    return status == ABUT_ERROR_NOT_FINITE ? refuse(status, CALL_NAME, "matrix: an entry overflows") : status;
}
