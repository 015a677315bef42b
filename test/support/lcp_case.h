#pragma once

#include <abut/solve.h>

#include "support/random.h"

/*
 * Linear complementarity problems to test and to measure with: of contacts (bodies, rows, and the dense matrix made of them by its
 * definition), and random ones without bodies.
 */

typedef struct lcp_case {
    int32_t n, body_count;
    abut_lcp_body *bodies; /* NULL for a problem without bodies */
    abut_lcp_row *rows;
    double *matrix; /* [n * n] */
    double *q;
} lcp_case;

/* All have to be released. They end the test when there is no memory. */
void lcp_case_release(lcp_case *c);

/* n balls of 1 kg and radius 1 upon each other. q is the acceleration without forces, under a gravity of 9.81 downwards; so in the next
 * ones. */
lcp_case lcp_case_balls(int32_t n);

/* Cubes of side 1 upon each other, each shifted by `shift` against the one below, to and fro; four contacts each. */
lcp_case lcp_case_tower(int32_t cubes, double shift);

/* A wall in the shape of a triangle: `width` cubes in the lowest row, one less in each row above, every cube on two; 4 width^2 contacts. */
lcp_case lcp_case_pyramid(int32_t width);

/* `bodies` bodies of random masses and inertias, every one with `contacts` contacts in random places with earlier ones or the ground, some
 * of them twice over. q is what random accelerations of the bodies would make. */
lcp_case lcp_case_heap(random_state *random, int32_t bodies, int32_t contacts);

/* A = G G^T with G of n x rank. q is of A's range, moved by something orthogonal to it of the relative size `off`; 0 for none: then there
 * is a solution. */
lcp_case lcp_case_random(random_state *random, int32_t n, int32_t rank, double off);

/* The largest |min(z / s, w s)| over the largest |q s|, with s = 1 / sqrt(diagonal) and w = A z + q from the dense matrix in long double.
 * Infinite where a number is not finite. The least z goes to *least. */
double lcp_case_residual(const lcp_case *c, const double *z, double *least);

/* Whether y shows that there is no solution: y >= 0, y . q < 0, and |A y| below 1e-6 of -y . q over the largest y, all in the scale of the
 * diagonal. */
bool lcp_case_is_proof(const lcp_case *c, const double *y);

/* Whether there is a solution, by trying every set of rows, n <= 12; w of one goes to w[n]. Sets whose matrix is singular are skipped,
 * which loses no solution: there is always one on independent rows. */
bool lcp_case_enumerate(const lcp_case *c, double *w);
