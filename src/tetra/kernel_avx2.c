/* The kernels of kernel.h four directions at a time. */
#include "base/instruction_set.h"

#if SIMD_HAS_WIDE_VECTORS
#include "base/simd_begin_avx2.h"

#include "tetra/kernel_lanes.h"

const kernel_table kernel_avx2 = KERNEL_TABLE;

#include "base/simd_end.h"
#else
typedef int kernel_avx2_is_left_out; /* a file must declare something */
#endif
