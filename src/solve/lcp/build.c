/* Makes the system that is solved from a graph and the entries of a matrix. A new order is computed only for a new graph. The factor is
 * kept up to the first entry that changed. */
#include "solve/lcp/lcp.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/array.h"

/* An entry that exceeds the geometric mean of its two diagonal entries by this factor is not a rounding error. */
static const double indefinite_above = 1.0 + 1e-6;

bool lcp_graph_room(lcp_graph *g, int32_t n, int32_t neighbours) {
    g->n = 0;
    if (!array_reserve(&g->start, &g->start_room, n + 1, sizeof *g->start) ||
        !array_reserve(&g->next, &g->next_room, neighbours, sizeof *g->next)) {
        return false;
    }
    g->n = n;
    return true;
}

void lcp_clear(abut_lcp *lcp) {
    lcp->graph.n = 0;
    lcp->before.n = 0;
    lcp->system.n = 0;
    lcp->system.island_count = 0;
}

static bool same_graph(const lcp_graph *a, const lcp_graph *b) {
    if (a->n != b->n || a->n == 0) {
        return false;
    }
    size_t n = (size_t)a->n;
    return memcmp(a->start, b->start, (n + 1) * sizeof *a->start) == 0 &&
           memcmp(a->next, b->next, (size_t)a->start[n] * sizeof *a->next) == 0;
}

/* The destination of the values, and findings on the way. */
typedef struct filling {
    abut_lcp *lcp;
    lcp_entries *entries;
    const void *matrix;
    bool changed; /* an entry changed although the graph is the same */
    bool finite, definite;
} filling;

static void set_scales(filling *f) {
    lcp_system *s = &f->lcp->system;
    for (int32_t p = 0; p < s->n; p++) {
        double d;
        f->entries(f->matrix, s->index[p], &s->index[p], 1, &d);
        f->finite = f->finite && isfinite(d);
        f->definite = f->definite && !(d < 0.0);
        s->scale[p] = lcp_scale_of(d);
        s->diagonal[p] = s->scale[p] * d * s->scale[p];
        s->unit[p] = s->diagonal[p] > 0.0 ? 1.0 / sqrt(s->diagonal[p]) : 1.0;
    }
}

/* The entries of row r before the diagonal are already there: they equal those of column r above the diagonal. This adds the entries from
 * the diagonal downwards, so rows are filled from left to right. */
static void fill_from(filling *f, int32_t r) {
    lcp_system *s = &f->lcp->system;
    const lcp_graph *g = &f->lcp->graph;
    int32_t *fill = f->lcp->filled, *ahead = f->lcp->ahead, count = 0, i = s->index[r];
    double *values = f->lcp->values;
    for (int32_t e = s->first[r]; e < fill[r]; e++) {
        int32_t at = fill[s->column[e]]++;
        s->column[at] = r;
        s->value[at] = s->value[e];
    }
    for (int32_t e = g->start[i]; e < g->start[i + 1]; e++) {
        ahead[count] = g->next[e];
        count += s->place[g->next[e]] >= r;
    }
    f->entries(f->matrix, i, ahead, count, values);
    double scale = s->scale[r], diagonal = indefinite_above * s->diagonal[r];
    for (int32_t e = 0; e < count; e++) {
        int32_t p = s->place[ahead[e]], at = fill[p]++;
        double value = scale * values[e] * s->scale[p];
        f->changed = f->changed || value != s->value[at];
        f->finite = f->finite && fabs(value) <= DBL_MAX;
        f->definite = f->definite && value * value <= diagonal * s->diagonal[p];
        s->column[at] = r;
        s->value[at] = value;
    }
}

/* Makes the order and all memory for a new graph. */
static bool make_structure(abut_lcp *lcp) {
    lcp_system *s = &lcp->system;
    const lcp_graph *g = &lcp->graph;
    int32_t n = g->n;
    if (!lcp_system_room(s, n, g->start[n]) || !array_reserve(&lcp->filled, &lcp->filled_room, n, sizeof *lcp->filled) ||
        !array_reserve(&lcp->ahead, &lcp->ahead_room, n + 1, sizeof *lcp->ahead) ||
        !array_reserve(&lcp->values, &lcp->values_room, n, sizeof *lcp->values)) {
        return false;
    }
    lcp_system_order(s, g->start, g->next);
    s->first[0] = 0;
    for (int32_t p = 0; p < s->n; p++) {
        int32_t i = s->index[p];
        s->first[p + 1] = s->first[p] + g->start[i + 1] - g->start[i];
    }
    return true;
}

/* Sets the values of island k and forgets the part of its factor that is no longer valid. */
static void fill_island(filling *f, int32_t k, bool fresh) {
    lcp_system *s = &f->lcp->system;
    int32_t kept = s->island[k + 1];
    for (int32_t r = s->island[k]; r < s->island[k + 1]; r++) {
        f->lcp->filled[r] = s->first[r];
    }
    for (int32_t r = s->island[k]; r < s->island[k + 1]; r++) {
        f->changed = false;
        fill_from(f, r);
        /* A change in column r affects no row before r. */
        kept = f->changed && r < kept ? r : kept;
    }
    if (!fresh) {
        profile_forget(&f->lcp->set.factor, k, kept);
    }
}

abut_status lcp_build(abut_lcp *lcp, lcp_entries *entries, const void *matrix) {
    lcp_system *s = &lcp->system;
    filling f = {.lcp = lcp, .entries = entries, .matrix = matrix, .finite = true, .definite = true};
    bool fresh = !same_graph(&lcp->graph, &lcp->before);
    if (fresh && !make_structure(lcp)) {
        lcp_clear(lcp);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    set_scales(&f);
    for (int32_t k = 0; k < s->island_count; k++) {
        fill_island(&f, k, fresh);
    }
    if (!f.finite || !f.definite) {
        lcp_clear(lcp);
        return f.finite ? ABUT_ERROR_INDEFINITE : ABUT_ERROR_NOT_FINITE;
    }
    if (fresh) {
        lcp_system_profile(s);
        if (!active_set_begin(&lcp->set, s)) {
            lcp_clear(lcp);
            return ABUT_ERROR_OUT_OF_MEMORY;
        }
    }
    lcp_graph held = lcp->before;
    lcp->before = lcp->graph;
    lcp->graph = held;
    return ABUT_OK;
}
