#pragma once

/*
 * Numbers with twice the digits: the unevaluated sum of two numbers. The second one has the size of the first one's rounding error (T. J.
 * Dekker, "A floating-point technique for extending the available precision", 1971; D. E. Knuth). Not for numbers beyond 1e150.
 */

typedef struct twin {
    double high, low;
} twin;

/* a + b exactly */
static inline twin twin_sum(double a, double b) {
    double sum = a + b, part = sum - a;
    return (twin){sum, (a - (sum - part)) + (b - part)};
}

/* Splits the digits into two halves, whose products are exact. */
static inline twin twin_split(double a) {
    double factor = 134217729.0 * a, high = factor - (factor - a); /* 2^27 + 1 */
    return (twin){high, a - high};
}

/* a b exactly */
static inline twin twin_product(double a, double b) {
    twin p = twin_split(a), q = twin_split(b);
    double product = a * b;
    return (twin){product, ((p.high * q.high - product) + p.high * q.low + p.low * q.high) + p.low * q.low};
}
