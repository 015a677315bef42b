/* Which instruction set the kernels use: the best that the machine has, looked up once. */

#include "tetra/kernel.h"

static const kernel_table *const tables[INSTRUCTION_SETS] = {
#if SIMD_HAS_PLAIN
    [INSTRUCTIONS_SCALAR] = &kernel_scalar,
#endif
#if SIMD_HAS_VECTORS
    [INSTRUCTIONS_SSE2] = &kernel_sse2,
#endif
#if SIMD_HAS_WIDE_VECTORS
    [INSTRUCTIONS_AVX2] = &kernel_avx2,
    [INSTRUCTIONS_AVX512] = &kernel_avx512,
#endif
};

/* Every thread would find the same, so it does not matter who looks first. */
const kernel_table *_Atomic kernel_in_use;

const kernel_table *kernel_choose(void) {
    const kernel_table *best = tables[instruction_set_best()];
    atomic_store_explicit(&kernel_in_use, best, memory_order_relaxed);
    return best;
}

bool kernel_use(instruction_set set) {
    bool has = instruction_set_is_here(set);
    if (has) {
        atomic_store_explicit(&kernel_in_use, tables[set], memory_order_relaxed);
    }
    return has;
}
