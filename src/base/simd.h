#pragma once

#include <math.h>
#include <stdint.h>

#include "base/bits.h"

/*
 * A few numbers at a time: doubles (simd), and single precision (simdf) where that is enough. The file that includes this one first defines SIMD_LEVEL as one of the levels below and, before any include,
 * lets the compiler use that instruction set (SIMD_TARGET_BEGIN). All levels do the same operations on each number with the same rounding,
 * and none multiplies and adds in one, so that what is computed does not depend on the level by one bit.
 */

#define SIMD_SCALAR 0
#define SIMD_SSE2 1
#define SIMD_AVX2 2
#define SIMD_AVX512 3

#if SIMD_LEVEL == SIMD_SCALAR

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
static inline simd simd_select(simd_mask m, simd a, simd b) { return m ? a : b; }
static inline unsigned simd_bits(simd_mask m) { return m; }
static inline double simd_largest(simd a) { return a; }

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
static inline simd simd_select(simd_mask m, simd a, simd b) { return _mm_or_pd(_mm_and_pd(m, a), _mm_andnot_pd(m, b)); }
static inline unsigned simd_bits(simd_mask m) { return (unsigned)_mm_movemask_pd(m); }
static inline double simd_largest(simd a) { return _mm_cvtsd_f64(_mm_max_sd(a, _mm_unpackhi_pd(a, a))); }

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
static inline simd simd_select(simd_mask m, simd a, simd b) { return _mm256_blendv_pd(b, a, m); }
static inline unsigned simd_bits(simd_mask m) { return (unsigned)_mm256_movemask_pd(m); }
static inline double simd_largest(simd a) {
    __m128d half = _mm_max_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
    return _mm_cvtsd_f64(_mm_max_sd(half, _mm_unpackhi_pd(half, half)));
}

enum { SIMDF_WIDTH = 8 };
typedef __m256 simdf;
static inline simdf simdf_load(const float *p) { return _mm256_loadu_ps(p); }
static inline simdf simdf_set(float x) { return _mm256_set1_ps(x); }
static inline simdf simdf_add(simdf a, simdf b) { return _mm256_add_ps(a, b); }
static inline simdf simdf_sub(simdf a, simdf b) { return _mm256_sub_ps(a, b); }
static inline simdf simdf_mul(simdf a, simdf b) { return _mm256_mul_ps(a, b); }
static inline unsigned simdf_greater_bits(simdf a, simdf b) { return (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_GT_OQ)); }

#else

#include <immintrin.h>

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
static inline simd simd_select(simd_mask m, simd a, simd b) { return _mm512_mask_blend_pd(m, b, a); }
static inline unsigned simd_bits(simd_mask m) { return m; }
static inline double simd_largest(simd a) { return _mm512_reduce_max_pd(a); }

enum { SIMDF_WIDTH = 16 };
typedef __m512 simdf;
static inline simdf simdf_load(const float *p) { return _mm512_loadu_ps(p); }
static inline simdf simdf_set(float x) { return _mm512_set1_ps(x); }
static inline simdf simdf_add(simdf a, simdf b) { return _mm512_add_ps(a, b); }
static inline simdf simdf_sub(simdf a, simdf b) { return _mm512_sub_ps(a, b); }
static inline simdf simdf_mul(simdf a, simdf b) { return _mm512_mul_ps(a, b); }
static inline unsigned simdf_greater_bits(simdf a, simdf b) { return _mm512_cmp_ps_mask(a, b, _CMP_GT_OQ); }

#endif
