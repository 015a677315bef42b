/* Selects the instruction set that screens pairs of rounded triangles: the best one of the machine, found once. */
#include "narrow/facet/screen.h"

static const facet_screen_kernel kernels[INSTRUCTION_SETS] = {
#if SIMD_HAS_PLAIN
    [INSTRUCTIONS_SCALAR] = facet_screen_scalar,
#endif
#if SIMD_HAS_VECTORS
    [INSTRUCTIONS_SSE2] = facet_screen_sse2,
#endif
#if SIMD_HAS_WIDE_VECTORS
    [INSTRUCTIONS_AVX2] = facet_screen_avx2,
    [INSTRUCTIONS_AVX512] = facet_screen_avx512,
#endif
};

/* A race between threads is harmless, because all find the same value. */
_Atomic(facet_screen_kernel) facet_screen_in_use;

facet_screen_kernel facet_screen_choose(void) {
    facet_screen_kernel best = kernels[instruction_set_best()];
    atomic_store_explicit(&facet_screen_in_use, best, memory_order_relaxed);
    return best;
}

bool facet_screen_use(instruction_set set) {
    bool has = instruction_set_is_here(set);
    if (has) {
        atomic_store_explicit(&facet_screen_in_use, kernels[set], memory_order_relaxed);
    }
    return has;
}
