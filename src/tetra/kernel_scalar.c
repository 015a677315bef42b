/* The kernels of kernel.h one direction at a time: for any machine, and what the others are compared with. */
#define SIMD_LEVEL SIMD_SCALAR
#include "tetra/kernel_lanes.h"

const kernel_table kernel_scalar = KERNEL_TABLE;
