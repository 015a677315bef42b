#pragma once

#include <stdbool.h>

/*
 * The instruction sets that a build has code for, and those that the machine has. Results are the same bits in all of them (base/simd.h).
 *
 * CMake compiles each file *_lanes.c once per instruction set of the build, and reads the sets from this header (cmake/AbutLanes.cmake).
 */

/*
 * x86-64: all sets. The program asks the processor for AVX2 and AVX-512 when it runs.
 * WebAssembly with -msimd128 -msse2: SSE2 only. Emscripten maps the names of SSE2 to WebAssembly's vectors, which are as wide. A module
 *   with vectors does not load where they are missing, so the scalar code is left out and pages load less.
 * Other processors, and all with ABUT_SCALAR: scalar code only.
 *
 * INSTRUCTION_SET_VARIANTS(kernel) initialises an array [INSTRUCTION_SETS] of pointers to the variants kernel_scalar, kernel_sse2 and so
 * on; NULL for a set that the build lacks.
 */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(ABUT_SCALAR)
#define SIMD_HAS_SCALAR 1
#define SIMD_HAS_SSE2 1
#define SIMD_HAS_AVX2 1
#define SIMD_HAS_AVX512 1
#define INSTRUCTION_SET_VARIANTS(kernel)                                                                                      \
    {                                                                                                                         \
        [INSTRUCTIONS_SCALAR] = &kernel##_scalar, [INSTRUCTIONS_SSE2] = &kernel##_sse2, [INSTRUCTIONS_AVX2] = &kernel##_avx2, \
        [INSTRUCTIONS_AVX512] = &kernel##_avx512                                                                              \
    }
#elif defined(__wasm_simd128__) && defined(__SSE2__) && !defined(ABUT_SCALAR)
#define SIMD_HAS_SCALAR 0
#define SIMD_HAS_SSE2 1
#define SIMD_HAS_AVX2 0
#define SIMD_HAS_AVX512 0
#define INSTRUCTION_SET_VARIANTS(kernel) \
    { [INSTRUCTIONS_SSE2] = &kernel##_sse2 }
#else
#define SIMD_HAS_SCALAR 1
#define SIMD_HAS_SSE2 0
#define SIMD_HAS_AVX2 0
#define SIMD_HAS_AVX512 0
#define INSTRUCTION_SET_VARIANTS(kernel) \
    { [INSTRUCTIONS_SCALAR] = &kernel##_scalar }
#endif

typedef enum instruction_set {
    INSTRUCTIONS_SCALAR,
    INSTRUCTIONS_SSE2,
    INSTRUCTIONS_AVX2,
    INSTRUCTIONS_AVX512,
    INSTRUCTION_SETS
} instruction_set;

/* True when the build and this machine have the set. */
bool instruction_set_is_here(instruction_set set);

/* The widest set that the build and this machine have. */
instruction_set instruction_set_best(void);
