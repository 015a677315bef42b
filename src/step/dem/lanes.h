/* Vectors of lanes for the dem kernels; included where SIMD_LEVEL is defined. */
#pragma once

#include "base/real.h"
#include "base/simd.h"

typedef struct vectors {
    simd x, y, z;
} vectors;

static inline vectors vectors_sum(vectors a, vectors b) { return (vectors){simd_add(a.x, b.x), simd_add(a.y, b.y), simd_add(a.z, b.z)}; }
static inline vectors vectors_way(vectors from, vectors to) {
    return (vectors){simd_sub(to.x, from.x), simd_sub(to.y, from.y), simd_sub(to.z, from.z)};
}
static inline vectors vectors_scaled(simd s, vectors a) { return (vectors){simd_mul(s, a.x), simd_mul(s, a.y), simd_mul(s, a.z)}; }
/* a + s b; a - s b */
static inline vectors vectors_plus(vectors a, simd s, vectors b) { return vectors_sum(a, vectors_scaled(s, b)); }
static inline vectors vectors_minus(vectors a, simd s, vectors b) { return vectors_way(vectors_scaled(s, b), a); }
static inline simd vectors_dot(vectors a, vectors b) {
    return simd_add(simd_add(simd_mul(a.x, b.x), simd_mul(a.y, b.y)), simd_mul(a.z, b.z));
}
static inline vectors vectors_cross(vectors a, vectors b) {
    return (vectors){simd_sub(simd_mul(a.y, b.z), simd_mul(a.z, b.y)), simd_sub(simd_mul(a.z, b.x), simd_mul(a.x, b.z)),
                     simd_sub(simd_mul(a.x, b.y), simd_mul(a.y, b.x))};
}
static inline vectors vectors_select(simd_mask m, vectors a, vectors b) {
    return (vectors){simd_select(m, a.x, b.x), simd_select(m, a.y, b.y), simd_select(m, a.z, b.z)};
}
static inline vectors vectors_set(double x, double y, double z) { return (vectors){simd_set(x), simd_set(y), simd_set(z)}; }

/* Loads a row of four numbers `behind` places after each address: a vector and the fourth number. */
static inline vectors rows_load(const double *const places[SIMD_WIDTH], int behind, simd *fourth) {
    const double *rows[SIMD_WIDTH];
    simd out[4];
    for (int j = 0; j < SIMD_WIDTH; ++j) {
        rows[j] = places[j] + behind;
    }
    simd_load_rows(rows, out);
    *fourth = out[3];
    return (vectors){out[0], out[1], out[2]};
}

static inline void rows_store(double *const places[SIMD_WIDTH], int behind, vectors v, simd fourth) {
    double *rows[SIMD_WIDTH];
    const simd in[4] = {v.x, v.y, v.z, fourth};
    for (int j = 0; j < SIMD_WIDTH; ++j) {
        rows[j] = places[j] + behind;
    }
    simd_store_rows(rows, in);
}

/* The lanes with index < count. */
static inline simd_mask lanes_below(int32_t count) { return simd_greater(simd_set(count), simd_steps()); }
enum { ALL_LANES = (1 << SIMD_WIDTH) - 1 };

/* 1 - x / n (rest) */
static inline simd series(simd x, double n, simd rest) { return simd_sub(simd_set(1.0), simd_mul(simd_mul(x, simd_set(1.0 / n)), rest)); }

/* Same as real_turn(). */
static inline void lanes_turn(simd square, simd *sine_over, simd *cosine) {
    simd one = simd_set(1.0);
    *sine_over = series(square, 6.0, series(square, 20.0, series(square, 42.0, one)));
    *cosine = series(square, 2.0, series(square, 12.0, series(square, 30.0, series(square, 56.0, one))));
    if (simd_bits(simd_greater(simd_set(1.0 / 4096.0), square)) != ALL_LANES) {
        double angle[SIMD_WIDTH], sine[SIMD_WIDTH], cosines[SIMD_WIDTH];
        simd_store(angle, square);
        for (int j = 0; j < SIMD_WIDTH; ++j) {
            real_turn(angle[j], &sine[j], &cosines[j]);
        }
        simd_mask small = simd_greater(simd_set(1.0 / 4096.0), square);
        *sine_over = simd_select(small, *sine_over, simd_load(sine));
        *cosine = simd_select(small, *cosine, simd_load(cosines));
    }
}
