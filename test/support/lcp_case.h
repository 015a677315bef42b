#pragma once

#include <abut/solve.h>

#include "support/random.h"

/*
 * Linear complementarity problems for tests and benchmarks: contact problems (bodies, rows, and the dense matrix built from them by its definition), and random
 * problems without bodies.
 */

typedef struct lcp_case {
    int32_t n, body_count;
    abut_lcp_body *bodies; /* NULL for a problem without bodies */
    abut_lcp_row *rows;
    double *matrix; /* [n * n] */
    double *q;
} lcp_case;

/* All cases must be released. The calls end the test if there is no memory. */
void lcp_case_release(lcp_case *c);

/* A stack of n balls of 1 kg and radius 1. q is the acceleration without contact forces, under a gravity of 9.81 downward, here and in the next cases. */
lcp_case lcp_case_balls(int32_t n);

/* A stack of cubes of side 1, shifted by `shift` to alternating sides; four contacts each. */
lcp_case lcp_case_tower(int32_t cubes, double shift);

/* A triangular wall: `width` cubes in the lowest row, one less in each row above, every cube on two; 4 width^2 contacts. */
lcp_case lcp_case_pyramid(int32_t width);

/* `bodies` bodies with random masses and inertias. Each has `contacts` contacts at random places with earlier bodies or the ground; some contacts occur
 * twice. q follows from random accelerations of the bodies. */
lcp_case lcp_case_heap(random_state *random, int32_t bodies, int32_t contacts);

/* A = G G^T with G of n x rank. q lies in A's range, plus an orthogonal part of relative size `off`. With `off` 0 there is a solution. */
lcp_case lcp_case_random(random_state *random, int32_t n, int32_t rank, double off);

/* The largest |min(z / s, w s)| over the largest |q s|, with s = 1 / sqrt(diagonal) and w = A z + q from the dense matrix in long double. Infinite if a
 * number is not finite. *least receives the smallest z. */
double lcp_case_residual(const lcp_case *c, const double *z, double *least);

/* Whether y proves that there is no solution: y >= 0, y . q < 0, and |A y| below 1e-6 of -y . q over the largest y, all in the scale of the diagonal. */
bool lcp_case_is_proof(const lcp_case *c, const double *y);

/* Whether there is a solution, by trying every set of rows, n <= 12. w[n] receives w of one solution. Sets with a singular matrix are skipped; this loses no
 * solution, because a solution on independent rows always exists. */
bool lcp_case_enumerate(const lcp_case *c, double *w);
