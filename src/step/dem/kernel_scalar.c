/* The kernels of step/dem/kernel.h, one pair or ball at a time. They run on every machine and are the reference for the others. */
#define SIMD_LEVEL SIMD_SCALAR
#include "step/dem/kernel_lanes.h"

const dem_kernel_table dem_kernel_scalar = DEM_KERNEL_TABLE;
