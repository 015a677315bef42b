/* Which instruction sets there are: asked of the processor when the program runs. */
#include "base/instruction_set.h"

bool instruction_set_is_here(instruction_set set) {
    switch (set) {
#if SIMD_HAS_PLAIN
    case INSTRUCTIONS_SCALAR:
        return true;
#endif
#if SIMD_HAS_VECTORS
    case INSTRUCTIONS_SSE2:
        return true;
#endif
#if SIMD_HAS_WIDE_VECTORS
    case INSTRUCTIONS_AVX2:
        return __builtin_cpu_supports("avx2") != 0;
    case INSTRUCTIONS_AVX512:
        return __builtin_cpu_supports("avx512f") != 0;
#endif
    default:
        return false;
    }
}

instruction_set instruction_set_best(void) {
    int set = INSTRUCTION_SETS - 1;
    while (!instruction_set_is_here((instruction_set)set)) {
        --set;
    }
    return (instruction_set)set;
}
