#pragma once

#include <stdbool.h>

enum { LINEAR_MOST = 8 };

/* Solves a small dense system by elimination with row pivoting, its rows scaled by their largest entries. rows: [n][n + 1], the right sides
 * last; destroyed. False for a matrix that is singular up to rounding or not finite; x is then not written. */
bool linear_solve(int n, double *rows, double *x);
