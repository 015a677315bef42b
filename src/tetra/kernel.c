/* Which instruction set the kernels use: the best that the machine has, looked up once. */
#include "tetra/kernel.h"

#include "geom/scan_table.h"

static const kernel_table *table_of(scan_level level) {
    switch (level) {
#if SCAN_HAS_VECTORS
    case SCAN_SSE2:
        return &kernel_sse2;
    case SCAN_AVX2:
        return &kernel_avx2;
    case SCAN_AVX512:
        return &kernel_avx512;
#endif
    default:
        return &kernel_scalar;
    }
}

/* Every thread would find the same, so it does not matter who looks first. */
const kernel_table *_Atomic kernel_in_use;

const kernel_table *kernel_choose(void) {
    int level = SCAN_LEVELS - 1;
    while (!scan_has((scan_level)level)) {
        --level;
    }
    kernel_use((scan_level)level);
    return table_of((scan_level)level);
}

bool kernel_use(scan_level level) {
    bool has = scan_has(level);
    if (has) {
        atomic_store_explicit(&kernel_in_use, table_of(level), memory_order_relaxed);
    }
    return has;
}
