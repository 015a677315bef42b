/* Which instruction set the searches use: the best that the machine has, looked up once. */

#include "geom/scan_table.h"

bool scan_has(scan_level level) {
    switch (level) {
    case SCAN_SCALAR:
        return true;
#if SCAN_HAS_VECTORS
    case SCAN_SSE2:
        return true;
    case SCAN_AVX2:
        return __builtin_cpu_supports("avx2") != 0;
    case SCAN_AVX512:
        return __builtin_cpu_supports("avx512f") != 0;
#endif
    default:
        return false;
    }
}

static const scan_table *table_of(scan_level level) {
    switch (level) {
#if SCAN_HAS_VECTORS
    case SCAN_SSE2:
        return &scan_sse2;
    case SCAN_AVX2:
        return &scan_avx2;
    case SCAN_AVX512:
        return &scan_avx512;
#endif
    default:
        return &scan_scalar;
    }
}

/* Every thread would find the same, so it does not matter who looks first. */
const scan_table *_Atomic scan_in_use;

const scan_table *scan_choose(void) {
    int level = SCAN_LEVELS - 1;
    while (!scan_has((scan_level)level)) {
        --level;
    }
    const scan_table *table = table_of((scan_level)level);
    atomic_store_explicit(&scan_in_use, table, memory_order_relaxed);
    return table;
}

bool scan_use(scan_level level) {
    bool has = scan_has(level);
    if (has) {
        atomic_store_explicit(&scan_in_use, table_of(level), memory_order_relaxed);
    }
    return has;
}
