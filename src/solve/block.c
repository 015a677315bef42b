/* The few operations of a block Cholesky factorisation. */
#include "solve/block.h"

#include <math.h>

enum { N = BLOCK_SIDE };

void block_add_outer(block *m, double w, const block_vector *p, const block_vector *q) {
    for (int i = 0; i < N; i++) {
        double scaled = w * p->v[i];
        for (int j = 0; j < N; j++) {
            m->m[N * i + j] += scaled * q->v[j];
        }
    }
}

void block_factorise(block *m) {
    for (int j = 0; j < N; j++) {
        double pivot = m->m[N * j + j];
        for (int k = 0; k < j; k++) {
            pivot -= m->m[N * j + k] * m->m[N * j + k];
        }
        pivot = sqrt(pivot);
        m->m[N * j + j] = pivot;
        for (int i = j + 1; i < N; i++) {
            double entry = m->m[N * i + j];
            for (int k = 0; k < j; k++) {
                entry -= m->m[N * i + k] * m->m[N * j + k];
            }
            m->m[N * i + j] = entry / pivot;
        }
    }
}

void block_divide(block *m, const block *l) {
    for (int row = 0; row < N; row++) {
        for (int j = 0; j < N; j++) {
            double entry = m->m[N * row + j];
            for (int k = 0; k < j; k++) {
                entry -= m->m[N * row + k] * l->m[N * j + k];
            }
            m->m[N * row + j] = entry / l->m[N * j + j];
        }
    }
}

void block_substitute(block_vector *v, const block *l) {
    for (int j = 0; j < N; j++) {
        for (int k = 0; k < j; k++) {
            v->v[j] -= l->m[N * j + k] * v->v[k];
        }
        v->v[j] /= l->m[N * j + j];
    }
}

void block_substitute_transposed(block_vector *v, const block *l) {
    for (int j = N - 1; j >= 0; j--) {
        for (int k = j + 1; k < N; k++) {
            v->v[j] -= l->m[N * k + j] * v->v[k];
        }
        v->v[j] /= l->m[N * j + j];
    }
}

void block_subtract_product(block *m, const block *p, const block *q) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double sum = 0.0;
            for (int k = 0; k < N; k++) {
                sum += p->m[N * i + k] * q->m[N * j + k];
            }
            m->m[N * i + j] -= sum;
        }
    }
}

void block_subtract(block_vector *v, const block *m, const block_vector *w) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            v->v[i] -= m->m[N * i + j] * w->v[j];
        }
    }
}

void block_subtract_transposed(block_vector *v, const block *m, const block_vector *w) {
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            v->v[j] -= m->m[N * i + j] * w->v[i];
        }
    }
}
