/* The kernels of step/dem/kernel.h, eight pairs or balls at a time. */
#include "base/instruction_set.h"

#if SIMD_HAS_WIDE_VECTORS
#include "base/simd_begin_avx512.h"

#include "step/dem/kernel_lanes.h"

const dem_kernel_table dem_kernel_avx512 = DEM_KERNEL_TABLE;

#include "base/simd_end.h"
#else
typedef int dem_kernel_avx512_is_left_out; /* ISO C forbids an empty source file */
#endif
