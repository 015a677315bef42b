/* The kernels of kernel.h two directions at a time: every x86-64 has SSE2. */
#include "base/instruction_set.h"

#if SIMD_HAS_VECTORS
#define SIMD_LEVEL SIMD_SSE2
#include "tetra/kernel_lanes.h"

const kernel_table kernel_sse2 = KERNEL_TABLE;
#else
typedef int kernel_sse2_is_left_out; /* a file must declare something */
#endif
