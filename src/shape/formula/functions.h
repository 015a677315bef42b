#pragma once

#include <stddef.h>

#include "shape/formula/jet.h"

/* The functions that a formula can call, with their derivatives. All come from base/elementary.h, so formulas have the same bits on every machine. */

typedef struct formula_function {
    const char *name;
    int arguments;                         /* 1 or 2 */
    jet_slope (*one)(double x);            /* NULL for two arguments */
    jet_slopes (*two)(double a, double b); /* NULL for one argument */
} formula_function;

/* "pow" is no function of this table: its exponent is constant. */
extern const formula_function formula_functions[];
extern const int formula_function_count;

/* x^p. The derivatives are those of a power with a constant exponent: also at x = 0, and for x < 0 where p is whole. */
jet_slope formula_power(double x, double p);
