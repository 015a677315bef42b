/* Operations of a block Cholesky factorisation, column by column. A column is three pairs of numbers (solve/lcp/lanes.h); operations on a
 * whole column are the same for all rows. */
#include "solve/contact/block.h"

#include <math.h>
#include <stddef.h>

#include "solve/lcp/lanes.h"

enum { N = BLOCK_SIDE };

/* The six numbers of a column, or a vector. */
typedef struct column {
    lanes a, b, c;
} column;

static column load(const double *p) {
    column x = {lanes_load(p), lanes_load(p + 2), lanes_load(p + 4)};
    return x;
}

static void store(double *p, column x) {
    lanes_store(p, x.a);
    lanes_store(p + 2, x.b);
    lanes_store(p + 4, x.c);
}

/* x - s y */
static column minus_scaled(column x, double s, column y) {
    lanes factor = lanes_both(s);
    column z = {lanes_minus_product(x.a, factor, y.a), lanes_minus_product(x.b, factor, y.b), lanes_minus_product(x.c, factor, y.c)};
    return z;
}

static column scaled(double s, column x) {
    lanes factor = lanes_both(s);
    column y = {lanes_product(factor, x.a), lanes_product(factor, x.b), lanes_product(factor, x.c)};
    return y;
}

void block_add_outer(block *m, double w, const block_vector *p, const block_vector *q) {
    column x = load(p->v);
    for (int j = 0; j < N; j++) {
        store(m->m + N * j, minus_scaled(load(m->m + N * j), -(w * q->v[j]), x));
    }
}

static void factorise(block *m, const double *least) {
    for (int j = 0; j < N; j++) {
        double *pivot = m->m + N * j;
        double inverse = 1.0 / sqrt(least == NULL || pivot[j] > least[j] ? pivot[j] : least[j]);
        for (int i = j + 1; i < N; i++) {
            pivot[i] *= inverse;
        }
        pivot[j] = inverse;
        for (int k = j + 1; k < N; k++) {
            for (int i = k; i < N; i++) {
                m->m[N * k + i] -= pivot[i] * pivot[k];
            }
        }
    }
}

void block_factorise(block *m) { factorise(m, NULL); }

void block_factorise_above(block *m, const block_vector *least) { factorise(m, least->v); }

void block_divide(block *m, const block *l) {
    for (int j = 0; j < N; j++) {
        column x = load(m->m + N * j);
        for (int k = 0; k < j; k++) {
            x = minus_scaled(x, l->m[N * k + j], load(m->m + N * k));
        }
        store(m->m + N * j, scaled(l->m[N * j + j], x));
    }
}

void block_substitute(block_vector *v, const block *l) {
    for (int j = 0; j < N; j++) {
        v->v[j] *= l->m[N * j + j];
        for (int i = j + 1; i < N; i++) {
            v->v[i] -= l->m[N * j + i] * v->v[j];
        }
    }
}

void block_substitute_transposed(block_vector *v, const block *l) {
    for (int j = N - 1; j >= 0; j--) {
        for (int i = j + 1; i < N; i++) {
            v->v[j] -= l->m[N * j + i] * v->v[i];
        }
        v->v[j] *= l->m[N * j + j];
    }
}

void block_subtract_product(block *m, const block *p, const block *q) {
    for (int j = 0; j < N; j++) {
        column x = load(m->m + N * j);
        for (int k = 0; k < N; k++) {
            x = minus_scaled(x, q->m[N * k + j], load(p->m + N * k));
        }
        store(m->m + N * j, x);
    }
}

void block_subtract(block_vector *v, const block *m, const block_vector *w) {
    column x = load(v->v);
    for (int j = 0; j < N; j++) {
        x = minus_scaled(x, w->v[j], load(m->m + N * j));
    }
    store(v->v, x);
}

void block_subtract_transposed(block_vector *v, const block *m, const block_vector *w) {
    for (int j = 0; j < N; j++) {
        for (int i = 0; i < N; i++) {
            v->v[j] -= m->m[N * j + i] * w->v[i];
        }
    }
}
