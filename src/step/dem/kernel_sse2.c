/* The kernels of step/dem/kernel.h, two pairs or balls at a time. Every x86-64 has SSE2. */
#include "base/instruction_set.h"

#if SIMD_HAS_VECTORS
#define SIMD_LEVEL SIMD_SSE2
#include "step/dem/kernel_lanes.h"

const dem_kernel_table dem_kernel_sse2 = DEM_KERNEL_TABLE;
#else
typedef int dem_kernel_sse2_is_left_out; /* ISO C forbids an empty source file */
#endif
