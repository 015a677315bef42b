/* Selects the instruction set of the dem kernels: the best one of the machine, found once. */

#include "step/dem/kernel.h"

static const dem_kernel_table *const tables[INSTRUCTION_SETS] = {
#if SIMD_HAS_PLAIN
    [INSTRUCTIONS_SCALAR] = &dem_kernel_scalar,
#endif
#if SIMD_HAS_VECTORS
    [INSTRUCTIONS_SSE2] = &dem_kernel_sse2,
#endif
#if SIMD_HAS_WIDE_VECTORS
    [INSTRUCTIONS_AVX2] = &dem_kernel_avx2,
    [INSTRUCTIONS_AVX512] = &dem_kernel_avx512,
#endif
};

/* A race between threads is harmless, because all find the same value. */
const dem_kernel_table *_Atomic dem_kernel_in_use;

const dem_kernel_table *dem_kernel_choose(void) {
    const dem_kernel_table *best = tables[instruction_set_best()];
    atomic_store_explicit(&dem_kernel_in_use, best, memory_order_relaxed);
    return best;
}

bool dem_kernel_use(instruction_set set) {
    bool has = instruction_set_is_here(set);
    if (has) {
        atomic_store_explicit(&dem_kernel_in_use, tables[set], memory_order_relaxed);
    }
    return has;
}
