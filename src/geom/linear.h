#pragma once

#include <stdbool.h>

enum { LINEAR_MOST = 8 };

/* Solves a small dense system by elimination with row pivoting; rows are scaled by their largest entries. rows: [n][n + 1], right-hand
 * sides last; overwritten. False for a matrix that is singular within rounding error or not finite; x is then not written. */
bool linear_solve(int n, double *rows, double *x);

/* The same with full pivoting, as far as the rank goes: where no pivot is larger than `least` times the largest entry, the remaining unknowns are 0. */
void linear_solve_rank(int n, double *rows, double least, double *x);
