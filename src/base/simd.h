#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/bits.h"

/*
 * Vectors of numbers ("lanes"): doubles (simd), and single precision (simdf) for coarse tests. Only files *_lanes.c include this header:
 * the build compiles each of them once per instruction set, with SIMD_LEVEL defined as one of the levels below and the compiler's option
 * for that set (cmake/AbutLanes.cmake). SIMD_VARIANT(kernel) is the name of this variant: kernel_scalar, kernel_sse2 and so on.
 *
 * All levels do the same operations on each number with the same rounding. None of them fuses a multiplication with an addition. Results
 * therefore have the same bits at every level.
 *
 * A row is four numbers that lie together in memory, one row for each lane. simd_load_rows() transposes rows: the first vector has the
 * first numbers of all rows, the second vector the second numbers, and so on. simd_store_rows() is the inverse. simd_four is one row.
 * simd_four_turn() moves the first three numbers one place down, the first one behind the third. simd_four_where(a, b, x, y) takes x where a > b, and y
 * elsewhere; it exists with AVX2 only, and so do a few others.
 *
 * The compilers that have these sets also take the operators + - * / for lanes. Long formulas are written with them.
 */

#define SIMD_SCALAR 0
#define SIMD_SSE2 1
#define SIMD_AVX2 2
#define SIMD_AVX512 3

#if !defined(SIMD_LEVEL)
#error "base/simd.h is for files *_lanes.c, which the build compiles with SIMD_LEVEL"
#endif

#if SIMD_LEVEL == SIMD_SCALAR

#define SIMD_VARIANT(kernel) kernel##_scalar
enum { SIMD_WIDTH = 1 };
typedef double simd;
typedef unsigned simd_mask;

static inline simd simd_load(const double *p) { return *p; }
static inline void simd_store(double *p, simd a) { *p = a; }
static inline simd simd_set(double x) { return x; }
static inline simd simd_steps(void) { return 0.0; }
static inline simd simd_add(simd a, simd b) { return a + b; }
static inline simd simd_sub(simd a, simd b) { return a - b; }
static inline simd simd_mul(simd a, simd b) { return a * b; }
static inline simd simd_div(simd a, simd b) { return a / b; }
static inline simd simd_sqrt(simd a) { return sqrt(a); }
static inline simd simd_max(simd a, simd b) { return a > b ? a : b; }
static inline simd simd_min(simd a, simd b) { return a < b ? a : b; }
static inline simd_mask simd_greater(simd a, simd b) { return a > b; }
static inline simd_mask simd_equal(simd a, simd b) { return a == b; }
static inline simd_mask simd_both(simd_mask m, simd_mask n) { return m & n; }
static inline simd_mask simd_either(simd_mask m, simd_mask n) { return m | n; }
static inline simd_mask simd_without(simd_mask m, simd_mask n) { return m & ~n; }
static inline simd simd_select(simd_mask m, simd a, simd b) { return m ? a : b; }
static inline unsigned simd_bits(simd_mask m) { return m; }
static inline double simd_largest(simd a) { return a; }

static inline void simd_load_rows(const double *const rows[SIMD_WIDTH], simd out[4]) {
    for (int i = 0; i < 4; ++i) {
        out[i] = rows[0][i];
    }
}
/* The rows may lie in memory that holds other types as well. */
static inline void simd_store_rows(double *const rows[SIMD_WIDTH], const simd in[4]) { memcpy(rows[0], in, 4 * sizeof *in); }

typedef struct simd_four {
    double v[4];
} simd_four;
static inline simd_four simd_four_load(const double *p) { return (simd_four){{p[0], p[1], p[2], p[3]}}; }
static inline void simd_four_store(double *p, simd_four a) {
    for (int i = 0; i < 4; ++i) {
        p[i] = a.v[i];
    }
}
static inline simd_four simd_four_add(simd_four a, simd_four b) {
    return (simd_four){{a.v[0] + b.v[0], a.v[1] + b.v[1], a.v[2] + b.v[2], a.v[3] + b.v[3]}};
}
static inline simd_four simd_four_sub(simd_four a, simd_four b) {
    return (simd_four){{a.v[0] - b.v[0], a.v[1] - b.v[1], a.v[2] - b.v[2], a.v[3] - b.v[3]}};
}
static inline simd_four simd_four_scale(double s, simd_four a) { return (simd_four){{s * a.v[0], s * a.v[1], s * a.v[2], s * a.v[3]}}; }
static inline simd_four simd_four_set(double x, double y, double z, double w) { return (simd_four){{x, y, z, w}}; }
static inline simd_four simd_four_mul(simd_four a, simd_four b) {
    return (simd_four){{a.v[0] * b.v[0], a.v[1] * b.v[1], a.v[2] * b.v[2], a.v[3] * b.v[3]}};
}
static inline simd_four simd_four_abs(simd_four a) { return (simd_four){{fabs(a.v[0]), fabs(a.v[1]), fabs(a.v[2]), fabs(a.v[3])}}; }
static inline simd_four simd_four_turn(simd_four a) { return (simd_four){{a.v[1], a.v[2], a.v[0], a.v[3]}}; }
static inline simd_four simd_four_min(simd_four a, simd_four b) {
    return (simd_four){{simd_min(a.v[0], b.v[0]), simd_min(a.v[1], b.v[1]), simd_min(a.v[2], b.v[2]), simd_min(a.v[3], b.v[3])}};
}
static inline double simd_four_least(simd_four a) { return simd_min(simd_min(a.v[0], a.v[2]), simd_min(a.v[1], a.v[3])); }
static inline unsigned simd_four_greater_bits(simd_four a, simd_four b) {
    return (unsigned)(a.v[0] > b.v[0]) | (unsigned)(a.v[1] > b.v[1]) << 1 | (unsigned)(a.v[2] > b.v[2]) << 2 |
           (unsigned)(a.v[3] > b.v[3]) << 3;
}

enum { SIMDF_WIDTH = 1 };
typedef float simdf;
static inline simdf simdf_load(const float *p) { return *p; }
static inline simdf simdf_set(float x) { return x; }
static inline simdf simdf_add(simdf a, simdf b) { return a + b; }
static inline simdf simdf_sub(simdf a, simdf b) { return a - b; }
static inline simdf simdf_mul(simdf a, simdf b) { return a * b; }
static inline unsigned simdf_greater_bits(simdf a, simdf b) { return a > b; }

#elif SIMD_LEVEL == SIMD_SSE2

#include <emmintrin.h>

#define SIMD_VARIANT(kernel) kernel##_sse2
enum { SIMD_WIDTH = 2 };
typedef __m128d simd;
typedef __m128d simd_mask;

static inline simd simd_load(const double *p) { return _mm_loadu_pd(p); }
static inline void simd_store(double *p, simd a) { _mm_storeu_pd(p, a); }
static inline simd simd_set(double x) { return _mm_set1_pd(x); }
static inline simd simd_steps(void) { return _mm_set_pd(1, 0); }
static inline simd simd_add(simd a, simd b) { return _mm_add_pd(a, b); }
static inline simd simd_sub(simd a, simd b) { return _mm_sub_pd(a, b); }
static inline simd simd_mul(simd a, simd b) { return _mm_mul_pd(a, b); }
static inline simd simd_div(simd a, simd b) { return _mm_div_pd(a, b); }
static inline simd simd_sqrt(simd a) { return _mm_sqrt_pd(a); }
static inline simd simd_max(simd a, simd b) { return _mm_max_pd(a, b); }
static inline simd simd_min(simd a, simd b) { return _mm_min_pd(a, b); }
static inline simd_mask simd_greater(simd a, simd b) { return _mm_cmpgt_pd(a, b); }
static inline simd_mask simd_equal(simd a, simd b) { return _mm_cmpeq_pd(a, b); }
static inline simd_mask simd_both(simd_mask m, simd_mask n) { return _mm_and_pd(m, n); }
static inline simd_mask simd_either(simd_mask m, simd_mask n) { return _mm_or_pd(m, n); }
static inline simd_mask simd_without(simd_mask m, simd_mask n) { return _mm_andnot_pd(n, m); }
static inline simd simd_select(simd_mask m, simd a, simd b) { return _mm_or_pd(_mm_and_pd(m, a), _mm_andnot_pd(m, b)); }
static inline unsigned simd_bits(simd_mask m) { return (unsigned)_mm_movemask_pd(m); }
static inline double simd_largest(simd a) { return _mm_cvtsd_f64(_mm_max_sd(a, _mm_unpackhi_pd(a, a))); }

static inline void simd_load_rows(const double *const rows[SIMD_WIDTH], simd out[4]) {
    __m128d a = _mm_loadu_pd(rows[0]), b = _mm_loadu_pd(rows[1]), c = _mm_loadu_pd(rows[0] + 2), d = _mm_loadu_pd(rows[1] + 2);
    out[0] = _mm_unpacklo_pd(a, b);
    out[1] = _mm_unpackhi_pd(a, b);
    out[2] = _mm_unpacklo_pd(c, d);
    out[3] = _mm_unpackhi_pd(c, d);
}
static inline void simd_store_rows(double *const rows[SIMD_WIDTH], const simd in[4]) {
    _mm_storeu_pd(rows[0], _mm_unpacklo_pd(in[0], in[1]));
    _mm_storeu_pd(rows[0] + 2, _mm_unpacklo_pd(in[2], in[3]));
    _mm_storeu_pd(rows[1], _mm_unpackhi_pd(in[0], in[1]));
    _mm_storeu_pd(rows[1] + 2, _mm_unpackhi_pd(in[2], in[3]));
}

typedef struct simd_four {
    __m128d low, high;
} simd_four;
static inline simd_four simd_four_load(const double *p) { return (simd_four){_mm_loadu_pd(p), _mm_loadu_pd(p + 2)}; }
static inline void simd_four_store(double *p, simd_four a) {
    _mm_storeu_pd(p, a.low);
    _mm_storeu_pd(p + 2, a.high);
}
static inline simd_four simd_four_add(simd_four a, simd_four b) {
    return (simd_four){_mm_add_pd(a.low, b.low), _mm_add_pd(a.high, b.high)};
}
static inline simd_four simd_four_sub(simd_four a, simd_four b) {
    return (simd_four){_mm_sub_pd(a.low, b.low), _mm_sub_pd(a.high, b.high)};
}
static inline simd_four simd_four_scale(double s, simd_four a) {
    return (simd_four){_mm_mul_pd(_mm_set1_pd(s), a.low), _mm_mul_pd(_mm_set1_pd(s), a.high)};
}
static inline simd_four simd_four_set(double x, double y, double z, double w) { return (simd_four){_mm_set_pd(y, x), _mm_set_pd(w, z)}; }
static inline simd_four simd_four_mul(simd_four a, simd_four b) {
    return (simd_four){_mm_mul_pd(a.low, b.low), _mm_mul_pd(a.high, b.high)};
}
static inline simd_four simd_four_abs(simd_four a) {
    return (simd_four){_mm_andnot_pd(_mm_set1_pd(-0.0), a.low), _mm_andnot_pd(_mm_set1_pd(-0.0), a.high)};
}
static inline simd_four simd_four_turn(simd_four a) {
    return (simd_four){_mm_shuffle_pd(a.low, a.high, _MM_SHUFFLE2(0, 1)), _mm_shuffle_pd(a.low, a.high, _MM_SHUFFLE2(1, 0))};
}
static inline simd_four simd_four_min(simd_four a, simd_four b) {
    return (simd_four){_mm_min_pd(a.low, b.low), _mm_min_pd(a.high, b.high)};
}
static inline double simd_four_least(simd_four a) {
    __m128d half = _mm_min_pd(a.low, a.high);
    return _mm_cvtsd_f64(_mm_min_sd(half, _mm_unpackhi_pd(half, half)));
}
static inline unsigned simd_four_greater_bits(simd_four a, simd_four b) {
    return (unsigned)_mm_movemask_pd(_mm_cmpgt_pd(a.low, b.low)) | (unsigned)_mm_movemask_pd(_mm_cmpgt_pd(a.high, b.high)) << 2;
}

enum { SIMDF_WIDTH = 4 };
typedef __m128 simdf;
static inline simdf simdf_load(const float *p) { return _mm_loadu_ps(p); }
static inline simdf simdf_set(float x) { return _mm_set1_ps(x); }
static inline simdf simdf_add(simdf a, simdf b) { return _mm_add_ps(a, b); }
static inline simdf simdf_sub(simdf a, simdf b) { return _mm_sub_ps(a, b); }
static inline simdf simdf_mul(simdf a, simdf b) { return _mm_mul_ps(a, b); }
static inline unsigned simdf_greater_bits(simdf a, simdf b) { return (unsigned)_mm_movemask_ps(_mm_cmpgt_ps(a, b)); }

#elif SIMD_LEVEL == SIMD_AVX2

#include <immintrin.h>

#define SIMD_VARIANT(kernel) kernel##_avx2
enum { SIMD_WIDTH = 4 };
typedef __m256d simd;
typedef __m256d simd_mask;

static inline simd simd_load(const double *p) { return _mm256_loadu_pd(p); }
static inline void simd_store(double *p, simd a) { _mm256_storeu_pd(p, a); }
static inline simd simd_set(double x) { return _mm256_set1_pd(x); }
static inline simd simd_steps(void) { return _mm256_set_pd(3, 2, 1, 0); }
static inline simd simd_add(simd a, simd b) { return _mm256_add_pd(a, b); }
static inline simd simd_sub(simd a, simd b) { return _mm256_sub_pd(a, b); }
static inline simd simd_mul(simd a, simd b) { return _mm256_mul_pd(a, b); }
static inline simd simd_div(simd a, simd b) { return _mm256_div_pd(a, b); }
static inline simd simd_sqrt(simd a) { return _mm256_sqrt_pd(a); }
static inline simd simd_max(simd a, simd b) { return _mm256_max_pd(a, b); }
static inline simd simd_min(simd a, simd b) { return _mm256_min_pd(a, b); }
static inline simd_mask simd_greater(simd a, simd b) { return _mm256_cmp_pd(a, b, _CMP_GT_OQ); }
static inline simd_mask simd_equal(simd a, simd b) { return _mm256_cmp_pd(a, b, _CMP_EQ_OQ); }
static inline simd_mask simd_both(simd_mask m, simd_mask n) { return _mm256_and_pd(m, n); }
static inline simd_mask simd_either(simd_mask m, simd_mask n) { return _mm256_or_pd(m, n); }
static inline simd_mask simd_without(simd_mask m, simd_mask n) { return _mm256_andnot_pd(n, m); }
static inline simd simd_select(simd_mask m, simd a, simd b) { return _mm256_blendv_pd(b, a, m); }
static inline unsigned simd_bits(simd_mask m) { return (unsigned)_mm256_movemask_pd(m); }
static inline double simd_largest(simd a) {
    __m128d half = _mm_max_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
    return _mm_cvtsd_f64(_mm_max_sd(half, _mm_unpackhi_pd(half, half)));
}

static inline void simd_load_rows(const double *const rows[SIMD_WIDTH], simd out[4]) {
    __m256d a = _mm256_loadu_pd(rows[0]), b = _mm256_loadu_pd(rows[1]), c = _mm256_loadu_pd(rows[2]), d = _mm256_loadu_pd(rows[3]);
    __m256d ab_even = _mm256_unpacklo_pd(a, b), ab_odd = _mm256_unpackhi_pd(a, b), cd_even = _mm256_unpacklo_pd(c, d),
            cd_odd = _mm256_unpackhi_pd(c, d);
    out[0] = _mm256_permute2f128_pd(ab_even, cd_even, 0x20);
    out[1] = _mm256_permute2f128_pd(ab_odd, cd_odd, 0x20);
    out[2] = _mm256_permute2f128_pd(ab_even, cd_even, 0x31);
    out[3] = _mm256_permute2f128_pd(ab_odd, cd_odd, 0x31);
}
static inline void simd_store_rows(double *const rows[SIMD_WIDTH], const simd in[4]) {
    __m256d xy_even = _mm256_unpacklo_pd(in[0], in[1]), xy_odd = _mm256_unpackhi_pd(in[0], in[1]);
    __m256d zw_even = _mm256_unpacklo_pd(in[2], in[3]), zw_odd = _mm256_unpackhi_pd(in[2], in[3]);
    _mm256_storeu_pd(rows[0], _mm256_permute2f128_pd(xy_even, zw_even, 0x20));
    _mm256_storeu_pd(rows[1], _mm256_permute2f128_pd(xy_odd, zw_odd, 0x20));
    _mm256_storeu_pd(rows[2], _mm256_permute2f128_pd(xy_even, zw_even, 0x31));
    _mm256_storeu_pd(rows[3], _mm256_permute2f128_pd(xy_odd, zw_odd, 0x31));
}

typedef __m256d simd_four;
static inline simd_four simd_four_load(const double *p) { return _mm256_loadu_pd(p); }
static inline void simd_four_store(double *p, simd_four a) { _mm256_storeu_pd(p, a); }
static inline simd_four simd_four_add(simd_four a, simd_four b) { return _mm256_add_pd(a, b); }
static inline simd_four simd_four_sub(simd_four a, simd_four b) { return _mm256_sub_pd(a, b); }
static inline simd_four simd_four_scale(double s, simd_four a) { return _mm256_mul_pd(_mm256_set1_pd(s), a); }
static inline simd_four simd_four_set(double x, double y, double z, double w) { return _mm256_set_pd(w, z, y, x); }
static inline simd_four simd_four_mul(simd_four a, simd_four b) { return _mm256_mul_pd(a, b); }
static inline simd_four simd_four_abs(simd_four a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
static inline simd_four simd_four_turn(simd_four a) { return _mm256_permute4x64_pd(a, 0xC9); }
static inline simd_four simd_four_min(simd_four a, simd_four b) { return _mm256_min_pd(a, b); }
static inline double simd_four_least(simd_four a) {
    __m128d half = _mm_min_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
    return _mm_cvtsd_f64(_mm_min_sd(half, _mm_unpackhi_pd(half, half)));
}
/* For code that no other set has. */
static inline void simd_four_store_columns(double *p, const simd_four in[4]) {
    __m256d ab_even = _mm256_unpacklo_pd(in[0], in[1]), ab_odd = _mm256_unpackhi_pd(in[0], in[1]);
    __m256d cd_even = _mm256_unpacklo_pd(in[2], in[3]), cd_odd = _mm256_unpackhi_pd(in[2], in[3]);
    _mm256_storeu_pd(p, _mm256_permute2f128_pd(ab_even, cd_even, 0x20));
    _mm256_storeu_pd(p + 4, _mm256_permute2f128_pd(ab_odd, cd_odd, 0x20));
    _mm256_storeu_pd(p + 8, _mm256_permute2f128_pd(ab_even, cd_even, 0x31));
    _mm256_storeu_pd(p + 12, _mm256_permute2f128_pd(ab_odd, cd_odd, 0x31));
}
static inline simd_four simd_four_spread(double x) { return _mm256_set1_pd(x); }
static inline simd_four simd_four_div(simd_four a, simd_four b) { return _mm256_div_pd(a, b); }
static inline simd_four simd_four_sqrt(simd_four a) { return _mm256_sqrt_pd(a); }
static inline simd_four simd_four_max(simd_four a, simd_four b) { return _mm256_max_pd(a, b); }
static inline simd_four simd_four_where(simd_four a, simd_four b, simd_four x, simd_four y) {
    return _mm256_blendv_pd(y, x, _mm256_cmp_pd(a, b, _CMP_GT_OQ));
}
static inline unsigned simd_four_greater_bits(simd_four a, simd_four b) {
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GT_OQ));
}

enum { SIMDF_WIDTH = 8 };
typedef __m256 simdf;
static inline simdf simdf_load(const float *p) { return _mm256_loadu_ps(p); }
static inline simdf simdf_set(float x) { return _mm256_set1_ps(x); }
static inline simdf simdf_add(simdf a, simdf b) { return _mm256_add_ps(a, b); }
static inline simdf simdf_sub(simdf a, simdf b) { return _mm256_sub_ps(a, b); }
static inline simdf simdf_mul(simdf a, simdf b) { return _mm256_mul_ps(a, b); }
static inline unsigned simdf_greater_bits(simdf a, simdf b) { return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GT_OQ)); }

#elif SIMD_LEVEL == SIMD_AVX512

#include <immintrin.h>

#define SIMD_VARIANT(kernel) kernel##_avx512
enum { SIMD_WIDTH = 8 };
typedef __m512d simd;
typedef __mmask8 simd_mask;

static inline simd simd_load(const double *p) { return _mm512_loadu_pd(p); }
static inline void simd_store(double *p, simd a) { _mm512_storeu_pd(p, a); }
static inline simd simd_set(double x) { return _mm512_set1_pd(x); }
static inline simd simd_steps(void) { return _mm512_set_pd(7, 6, 5, 4, 3, 2, 1, 0); }
static inline simd simd_add(simd a, simd b) { return _mm512_add_pd(a, b); }
static inline simd simd_sub(simd a, simd b) { return _mm512_sub_pd(a, b); }
static inline simd simd_mul(simd a, simd b) { return _mm512_mul_pd(a, b); }
static inline simd simd_div(simd a, simd b) { return _mm512_div_pd(a, b); }
static inline simd simd_sqrt(simd a) { return _mm512_sqrt_pd(a); }
static inline simd simd_max(simd a, simd b) { return _mm512_max_pd(a, b); }
static inline simd simd_min(simd a, simd b) { return _mm512_min_pd(a, b); }
static inline simd_mask simd_greater(simd a, simd b) { return _mm512_cmp_pd_mask(a, b, _CMP_GT_OQ); }
static inline simd_mask simd_equal(simd a, simd b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
static inline simd_mask simd_both(simd_mask m, simd_mask n) { return (simd_mask)(m & n); }
static inline simd_mask simd_either(simd_mask m, simd_mask n) { return (simd_mask)(m | n); }
static inline simd_mask simd_without(simd_mask m, simd_mask n) { return (simd_mask)(m & ~n); }
static inline simd simd_select(simd_mask m, simd a, simd b) { return _mm512_mask_blend_pd(m, b, a); }
static inline unsigned simd_bits(simd_mask m) { return m; }
static inline double simd_largest(simd a) { return _mm512_reduce_max_pd(a); }

/* Rows i and i + 4 are the two halves of one register. */
static inline void simd_load_rows(const double *const rows[SIMD_WIDTH], simd out[4]) {
    const __m512i low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    __m512d row[4];
    for (int i = 0; i < 4; ++i) {
        row[i] = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(rows[i])), _mm256_loadu_pd(rows[i + 4]), 1);
    }
    __m512d ab_even = _mm512_unpacklo_pd(row[0], row[1]), ab_odd = _mm512_unpackhi_pd(row[0], row[1]);
    __m512d cd_even = _mm512_unpacklo_pd(row[2], row[3]), cd_odd = _mm512_unpackhi_pd(row[2], row[3]);
    out[0] = _mm512_permutex2var_pd(ab_even, low, cd_even);
    out[1] = _mm512_permutex2var_pd(ab_odd, low, cd_odd);
    out[2] = _mm512_permutex2var_pd(ab_even, high, cd_even);
    out[3] = _mm512_permutex2var_pd(ab_odd, high, cd_odd);
}
static inline void simd_store_rows(double *const rows[SIMD_WIDTH], const simd in[4]) {
    const __m512i low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0), high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
    __m512d xy_even = _mm512_unpacklo_pd(in[0], in[1]), xy_odd = _mm512_unpackhi_pd(in[0], in[1]);
    __m512d zw_even = _mm512_unpacklo_pd(in[2], in[3]), zw_odd = _mm512_unpackhi_pd(in[2], in[3]);
    const __m512d row[4] = {_mm512_permutex2var_pd(xy_even, low, zw_even), _mm512_permutex2var_pd(xy_odd, low, zw_odd),
                            _mm512_permutex2var_pd(xy_even, high, zw_even), _mm512_permutex2var_pd(xy_odd, high, zw_odd)};
    for (int i = 0; i < 4; ++i) {
        _mm256_storeu_pd(rows[i], _mm512_castpd512_pd256(row[i]));
        _mm256_storeu_pd(rows[i + 4], _mm512_extractf64x4_pd(row[i], 1));
    }
}

typedef __m256d simd_four;
static inline simd_four simd_four_load(const double *p) { return _mm256_loadu_pd(p); }
static inline void simd_four_store(double *p, simd_four a) { _mm256_storeu_pd(p, a); }
static inline simd_four simd_four_add(simd_four a, simd_four b) { return _mm256_add_pd(a, b); }
static inline simd_four simd_four_sub(simd_four a, simd_four b) { return _mm256_sub_pd(a, b); }
static inline simd_four simd_four_scale(double s, simd_four a) { return _mm256_mul_pd(_mm256_set1_pd(s), a); }
static inline simd_four simd_four_set(double x, double y, double z, double w) { return _mm256_set_pd(w, z, y, x); }
static inline simd_four simd_four_mul(simd_four a, simd_four b) { return _mm256_mul_pd(a, b); }
static inline simd_four simd_four_abs(simd_four a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
static inline simd_four simd_four_turn(simd_four a) { return _mm256_permute4x64_pd(a, 0xC9); }
static inline simd_four simd_four_min(simd_four a, simd_four b) { return _mm256_min_pd(a, b); }
static inline double simd_four_least(simd_four a) {
    __m128d half = _mm_min_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
    return _mm_cvtsd_f64(_mm_min_sd(half, _mm_unpackhi_pd(half, half)));
}
static inline unsigned simd_four_greater_bits(simd_four a, simd_four b) {
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_GT_OQ));
}

enum { SIMDF_WIDTH = 16 };
typedef __m512 simdf;
static inline simdf simdf_load(const float *p) { return _mm512_loadu_ps(p); }
static inline simdf simdf_set(float x) { return _mm512_set1_ps(x); }
static inline simdf simdf_add(simdf a, simdf b) { return _mm512_add_ps(a, b); }
static inline simdf simdf_sub(simdf a, simdf b) { return _mm512_sub_ps(a, b); }
static inline simdf simdf_mul(simdf a, simdf b) { return _mm512_mul_ps(a, b); }
static inline unsigned simdf_greater_bits(simdf a, simdf b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }

#endif

/* The lowest index among the lanes that hold the largest value. */
static inline int32_t simd_first_of_largest(simd best, simd index) {
    unsigned bits = simd_bits(simd_equal(best, simd_set(simd_largest(best))));
    double number[SIMD_WIDTH];
    simd_store(number, index);
    if ((bits & (bits - 1u)) == 0u) {
        return (int32_t)number[bits_lowest(bits)]; /* nearly always one lane */
    }
    double lowest = INFINITY;
    for (int lane = 0; lane < SIMD_WIDTH; ++lane) {
        if ((bits >> lane & 1u) != 0u && number[lane] < lowest) {
            lowest = number[lane];
        }
    }
    return (int32_t)lowest;
}
