/* The kernels of step/dem/kernel.h, for the instruction set that SIMD_LEVEL names; included once by each of the dem_kernel_LEVEL.c. */
#include "step/dem/kernel_move.h"
#include "step/dem/kernel_press.h"

#define DEM_KERNEL_TABLE \
    { press, gather, move }
