#pragma once

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * Shared by all fuzz targets: the entry point, with libFuzzer's name, and the macro that reports a failure.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whether the target prints the meaning of its input: the environment variable FUZZ_DESCRIBE is set. */
static inline int fuzz_describes(void) { return getenv("FUZZ_DESCRIBE") != NULL; }

/* A broken promise ends the process: libFuzzer keeps the input, and the replay fails. */
#define FUZZ_REQUIRE(condition, ...)                                                    \
    do {                                                                                \
        if (!(condition)) {                                                             \
            fprintf(stderr, "%s:%d: not so: %s\n    ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                                               \
            fputc('\n', stderr);                                                        \
            abort();                                                                    \
        }                                                                               \
    } while (0)
