/* Behind all else in a file that began with simd_begin_avx2.h or simd_begin_avx512.h. */
#if defined(__clang__)
#pragma clang attribute pop
#endif
