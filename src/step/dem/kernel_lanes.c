/* The kernels of step/dem/kernel.h; compiled once per instruction set (base/simd.h). */
#include "step/dem/kernel_move.h"
#include "step/dem/kernel_press.h"

const dem_kernel_table SIMD_VARIANT(dem_kernel) = {find_near, press, gather, move};
