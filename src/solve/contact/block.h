#pragma once

/*
 * Dense 6 x 6 blocks, for matrices that couple the velocities of rigid bodies. Stored column by column.
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

/* Replaces the lower triangle of m by L with L L^T = m; m is symmetric and positive definite. The diagonal holds the inverses of L's
 * diagonal. */
void block_factorise(block *m);

/* The same for a matrix that may be singular: the square of a pivot is `least` at least. */
void block_factorise_above(block *m, const block_vector *least);

/* m L^-T; L^-1 v; L^-T v. l holds the lower triangle of block_factorise(). */
void block_divide(block *m, const block *l);
void block_substitute(block_vector *v, const block *l);
void block_substitute_transposed(block_vector *v, const block *l);

/* m - p q^T; v - m w; v - m^T w */
void block_subtract_product(block *m, const block *p, const block *q);
void block_subtract(block_vector *v, const block *m, const block_vector *w);
void block_subtract_transposed(block_vector *v, const block *m, const block_vector *w);
