#pragma once

/*
 * Numbers with first and second derivatives by up to three variables: automatic differentiation in forward mode. Rules of calculus carry the derivatives, so
 * they are exact up to rounding. count is the number of variables; parts of further variables are neither read nor written.
 */

enum { JET_VARIABLES = 3, JET_SECOND = 6 };

typedef struct jet {
    double value;
    double first[JET_VARIABLES]; /* by each variable */
    double second[JET_SECOND];   /* lower triangle row by row: by variables i and k <= i at i (i + 1) / 2 + k */
} jet;

/* Derivatives of a function of one number: f, f', f''. */
typedef struct jet_slope {
    double f, a, aa;
} jet_slope;

/* Derivatives of a function f(a, b) of two numbers. */
typedef struct jet_slopes {
    double f, a, b, aa, ab, bb;
} jet_slopes;

void jet_set_constant(jet *a, double value, int count);
/* The variable `index`; with a count of 0, its value only. */
void jet_set_variable(jet *a, double value, int index, int count);

/* Each replaces *a by the result. */
void jet_negate(jet *a, int count);
void jet_add(jet *a, const jet *b, int count);
void jet_subtract(jet *a, const jet *b, int count);
void jet_multiply(jet *a, const jet *b, int count);
void jet_divide(jet *a, const jet *b, int count);
/* Times a constant, and divided by one. */
void jet_scale(jet *a, double factor, int count);
void jet_share(jet *a, double divisor, int count);
/* The chain rule. */
void jet_apply(jet *a, const jet_slope *s, int count);
void jet_apply_two(jet *a, const jet *b, const jet_slopes *s, int count);
