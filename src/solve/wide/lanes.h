/* Vectors of lanes for the kernels; included where SIMD_LEVEL is defined. */
#pragma once

#include "base/simd.h"

/* The kernels are made once for each number of points, so their parts must become one function. */
#if defined(__GNUC__)
#define LANES_INLINE static inline __attribute__((always_inline))
#else
#define LANES_INLINE static inline
#endif

typedef struct lanes3 {
    simd x, y, z;
} lanes3;

LANES_INLINE simd lanes_zero(void) { return simd_set(0.0); }
LANES_INLINE lanes3 lanes3_zero(void) { return (lanes3){lanes_zero(), lanes_zero(), lanes_zero()}; }
LANES_INLINE lanes3 lanes3_add(lanes3 a, lanes3 b) { return (lanes3){a.x + b.x, a.y + b.y, a.z + b.z}; }
LANES_INLINE lanes3 lanes3_sub(lanes3 a, lanes3 b) { return (lanes3){a.x - b.x, a.y - b.y, a.z - b.z}; }
LANES_INLINE lanes3 lanes3_scale(simd s, lanes3 a) { return (lanes3){s * a.x, s * a.y, s * a.z}; }
LANES_INLINE simd lanes3_dot(lanes3 a, lanes3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
LANES_INLINE lanes3 lanes3_cross(lanes3 a, lanes3 b) {
    return (lanes3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
LANES_INLINE lanes3 lanes3_select(simd_mask m, lanes3 a, lanes3 b) {
    return (lanes3){simd_select(m, a.x, b.x), simd_select(m, a.y, b.y), simd_select(m, a.z, b.z)};
}

/* Three numbers of every lane in memory. */
typedef double lanes_column[SIMD_WIDTH];
LANES_INLINE lanes3 lanes3_load(lanes_column v[3]) { return (lanes3){simd_load(v[0]), simd_load(v[1]), simd_load(v[2])}; }

LANES_INLINE void lanes3_store(lanes_column to[3], lanes3 v) {
    simd_store(to[0], v.x);
    simd_store(to[1], v.y);
    simd_store(to[2], v.z);
}

/* The symmetric matrix 00 01 02 11 12 22 times a vector. */
LANES_INLINE lanes3 lanes_symmetric(lanes_column m[6], lanes3 v) {
    simd m01 = simd_load(m[1]), m02 = simd_load(m[2]), m12 = simd_load(m[4]);
    return (lanes3){simd_load(m[0]) * v.x + m01 * v.y + m02 * v.z, m01 * v.x + simd_load(m[3]) * v.y + m12 * v.z,
                    m02 * v.x + m12 * v.y + simd_load(m[5]) * v.z};
}

/* Half a row of each body: a vector and a fourth number. */
LANES_INLINE lanes3 lanes_gather(const double *rows, const int32_t at[SIMD_WIDTH], int offset, simd *fourth) {
    const double *row[SIMD_WIDTH];
    simd out[4];
    for (int lane = 0; lane < SIMD_WIDTH; ++lane) {
        row[lane] = rows + 8 * (size_t)at[lane] + offset;
    }
    simd_load_rows(row, out);
    *fourth = out[3];
    return (lanes3){out[0], out[1], out[2]};
}

/* Lanes whose index is negative are not stored. */
LANES_INLINE void lanes_scatter(double *rows, const int32_t at[SIMD_WIDTH], int offset, lanes3 v, simd fourth) {
    double *row[SIMD_WIDTH], nowhere[4];
    const simd in[4] = {v.x, v.y, v.z, fourth};
    for (int lane = 0; lane < SIMD_WIDTH; ++lane) {
        row[lane] = at[lane] >= 0 ? rows + 8 * (size_t)at[lane] + offset : nowhere;
    }
    simd_store_rows(row, in);
}
