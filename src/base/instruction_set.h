#pragma once

#include <stdbool.h>

/*
 * The instruction sets that a build has code for, and which of them the machine has. What is computed is the same in all (base/simd.h).
 */

/* x86-64 has several, and the compiler makes them all: SSE2 (SIMD_HAS_VECTORS), and wider ones that not every machine has (SIMD_HAS_WIDE_VECTORS).
 * WebAssembly's own vectors are as wide as SSE2's, and Emscripten has SSE2's names for them; a program that has them runs nowhere without, and does without the
 * plain one (SIMD_HAS_PLAIN), so that pages load less. Elsewhere, and with ABUT_SCALAR, there is the plain one alone. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(ABUT_SCALAR)
#define SIMD_HAS_PLAIN 1
#define SIMD_HAS_VECTORS 1
#define SIMD_HAS_WIDE_VECTORS 1
#elif defined(__wasm_simd128__) && defined(__SSE2__) && !defined(ABUT_SCALAR)
#define SIMD_HAS_PLAIN 0
#define SIMD_HAS_VECTORS 1
#define SIMD_HAS_WIDE_VECTORS 0
#else
#define SIMD_HAS_PLAIN 1
#define SIMD_HAS_VECTORS 0
#define SIMD_HAS_WIDE_VECTORS 0
#endif

typedef enum instruction_set {
    INSTRUCTIONS_SCALAR,
    INSTRUCTIONS_SSE2,
    INSTRUCTIONS_AVX2,
    INSTRUCTIONS_AVX512,
    INSTRUCTION_SETS
} instruction_set;

/* Whether this machine and build have it. */
bool instruction_set_is_here(instruction_set set);

/* The best that they have. */
instruction_set instruction_set_best(void);
