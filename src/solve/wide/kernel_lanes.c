/* The kernels of solve/wide/kernel.h; compiled once per instruction set (base/simd.h). */
#include "solve/wide/kernel_fill.h"
#include "solve/wide/kernel_keep.h"
#include "solve/wide/kernel_move.h"
#include "solve/wide/kernel_pass.h"

const wide_kernel_table SIMD_VARIANT(wide_kernel) = {SIMD_WIDTH, wide_block_size, fill, mark, pass, keep, kick, drift};
