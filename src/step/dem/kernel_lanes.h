/* The kernels of step/dem/kernel.h for the instruction set in SIMD_LEVEL. Each dem_kernel_LEVEL.c includes this file once. */
#include "step/dem/kernel_move.h"
#include "step/dem/kernel_press.h"

#define DEM_KERNEL_TABLE \
    { press, gather, move }
