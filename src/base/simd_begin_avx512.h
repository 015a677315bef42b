/*
 * Before all else in a file whose code works eight numbers at a time, where SIMD_HAS_WIDE_VECTORS: lets the compiler use the instructions, in that file
 * alone. simd_end.h goes behind it.
 */
#if defined(__clang__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC target("avx512f")
#endif
#define SIMD_LEVEL SIMD_AVX512
