/* Which instruction set the searches use: the best that the machine has, looked up once. */

#include "geom/scan_table.h"

static const scan_table *const tables[INSTRUCTION_SETS] = {
#if SIMD_HAS_PLAIN
    [INSTRUCTIONS_SCALAR] = &scan_scalar,
#endif
#if SIMD_HAS_VECTORS
    [INSTRUCTIONS_SSE2] = &scan_sse2,
#endif
#if SIMD_HAS_WIDE_VECTORS
    [INSTRUCTIONS_AVX2] = &scan_avx2,
    [INSTRUCTIONS_AVX512] = &scan_avx512,
#endif
};

/* Every thread would find the same, so it does not matter who looks first. */
const scan_table *_Atomic scan_in_use;

const scan_table *scan_choose(void) {
    const scan_table *best = tables[instruction_set_best()];
    atomic_store_explicit(&scan_in_use, best, memory_order_relaxed);
    return best;
}

bool scan_use(instruction_set set) {
    bool has = instruction_set_is_here(set);
    if (has) {
        atomic_store_explicit(&scan_in_use, tables[set], memory_order_relaxed);
    }
    return has;
}
