#pragma once

#include <string.h>

/*
 * Two numbers side by side, for processors that compute both at once. Each is rounded as if it were alone, so results have the same bits as
 * one after the other.
 */

#if defined(__GNUC__)
typedef double lanes __attribute__((vector_size(16)));

static inline lanes lanes_both(double s) { return (lanes){s, s}; }
static inline lanes lanes_product(lanes p, lanes q) { return p * q; }
/* x - p q */
static inline lanes lanes_minus_product(lanes x, lanes p, lanes q) { return x - p * q; }
static inline lanes lanes_plus(lanes p, lanes q) { return p + q; }
static inline double lanes_sum(lanes p) { return p[0] + p[1]; }
#else
typedef struct lanes {
    double v[2];
} lanes;

static inline lanes lanes_both(double s) {
    lanes x = {{s, s}};
    return x;
}
static inline lanes lanes_product(lanes p, lanes q) {
    lanes x = {{p.v[0] * q.v[0], p.v[1] * q.v[1]}};
    return x;
}
/* x - p q */
static inline lanes lanes_minus_product(lanes x, lanes p, lanes q) {
    lanes y = {{x.v[0] - p.v[0] * q.v[0], x.v[1] - p.v[1] * q.v[1]}};
    return y;
}
static inline lanes lanes_plus(lanes p, lanes q) {
    lanes x = {{p.v[0] + q.v[0], p.v[1] + q.v[1]}};
    return x;
}
static inline double lanes_sum(lanes p) { return p.v[0] + p.v[1]; }
#endif

/* x + p q */
static inline lanes lanes_plus_product(lanes x, lanes p, lanes q) { return lanes_plus(x, lanes_product(p, q)); }

static inline lanes lanes_load(const double *p) {
    lanes x;
    memcpy(&x, p, sizeof x);
    return x;
}
static inline void lanes_store(double *p, lanes x) { memcpy(p, &x, sizeof x); }
