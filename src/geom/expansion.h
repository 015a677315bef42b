#pragma once

#include <stdint.h>

#include "base/twin.h"

/*
 * Exact sums: a number held as the sum of several doubles whose digits do not overlap, by increasing size (D. M. Priest; J. R. Shewchuk,
 * "Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997, section 2.4). Sums and products of doubles are
 * added without rounding error, so that the sign of a determinant is right. Not where products overflow or underflow: callers scale first.
 */

enum { EXPANSION_MOST = 192 }; /* the sum has at most as many components as terms were added */

typedef struct expansion {
    double component[EXPANSION_MOST];
    int32_t count;
} expansion;

/* Adds one term. Components that become zero are left out. */
static inline void expansion_add(expansion *sum, double term) {
    int32_t kept = 0;
    for (int32_t i = 0; i < sum->count; ++i) {
        twin both = twin_sum(term, sum->component[i]);
        if (both.low != 0.0) {
            sum->component[kept++] = both.low;
        }
        term = both.high;
    }
    if (term != 0.0) {
        sum->component[kept++] = term;
    }
    sum->count = kept;
}

/* Adds a b: two terms. */
static inline void expansion_add_product(expansion *sum, double a, double b) {
    if (a != 0.0 && b != 0.0) {
        twin product = twin_product(a, b);
        expansion_add(sum, product.low);
        expansion_add(sum, product.high);
    }
}

/* Adds a b for two twins: eight terms. */
static inline void expansion_add_twins(expansion *sum, twin a, twin b) {
    expansion_add_product(sum, a.low, b.low);
    expansion_add_product(sum, a.low, b.high);
    expansion_add_product(sum, a.high, b.low);
    expansion_add_product(sum, a.high, b.high);
}

/* The sum as a double, right to its last digit. Its sign is that of the sum, and it is 0 only if the sum is 0. From the largest component
 * down: what has been added is exact as long as the rest can change its sign. */
static inline double expansion_value(const expansion *sum) {
    double value = 0.0;
    for (int32_t i = sum->count - 1; i >= 0; --i) {
        value += sum->component[i];
    }
    return value;
}
