#pragma once

/*
 * Dense blocks of 6 x 6, for matrices that couple the velocities of rigid bodies. Column by column.
 */

enum { BLOCK_SIDE = 6, BLOCK_SIZE = 36 };

typedef struct block {
    double m[BLOCK_SIZE];
} block;

typedef struct block_vector {
    double v[BLOCK_SIDE];
} block_vector;

/* m + w p q^T */
void block_add_outer(block *m, double w, const block_vector *p, const block_vector *q);

/* The lower triangle of m becomes L with L L^T = m, m symmetric and positive definite; on its diagonal stand the inverses of L's. */
void block_factorise(block *m);

/* m L^-T and L^-1 v, and L^-T v, by the lower triangle of l as block_factorise() makes it. */
void block_divide(block *m, const block *l);
void block_substitute(block_vector *v, const block *l);
void block_substitute_transposed(block_vector *v, const block *l);

/* m - p q^T; v - m w; v - m^T w */
void block_subtract_product(block *m, const block *p, const block *q);
void block_subtract(block_vector *v, const block *m, const block_vector *w);
void block_subtract_transposed(block_vector *v, const block *m, const block_vector *w);
