/* Instruction sets of this machine. The program asks the processor when it runs. */
#include "base/instruction_set.h"

bool instruction_set_is_here(instruction_set set) {
    switch (set) {
#if SIMD_HAS_SCALAR
    case INSTRUCTIONS_SCALAR:
        return true;
#endif
#if SIMD_HAS_SSE2
    case INSTRUCTIONS_SSE2:
        return true;
#endif
#if SIMD_HAS_AVX2
    case INSTRUCTIONS_AVX2:
        return __builtin_cpu_supports("avx2") != 0;
#endif
#if SIMD_HAS_AVX512
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
