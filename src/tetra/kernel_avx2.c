/* The kernels of kernel.h four directions at a time. The pragmas let the compiler use the instructions in this file alone. */
#include "geom/scan_table.h"

#if SCAN_HAS_VECTORS
#if defined(__clang__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define SIMD_LEVEL SIMD_AVX2
#include "tetra/kernel_lanes.h"

const kernel_table kernel_avx2 = KERNEL_TABLE;
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
typedef int kernel_avx2_is_left_out; /* a file must declare something */
#endif
