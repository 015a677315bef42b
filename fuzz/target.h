#pragma once

#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/*
 * What every fuzz target shares: its entry, by libFuzzer's name, and how it says that something is wrong.
 */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whether the target is to tell what its input means: the environment's FUZZ_DESCRIBE is set. */
static inline int fuzz_describes(void) { return getenv("FUZZ_DESCRIBE") != NULL; }

/* A broken promise ends the process: libFuzzer keeps the input, the replay fails. */
#define FUZZ_REQUIRE(condition, ...)                                              \
    do {                                                                          \
        if (!(condition)) {                                                       \
            fprintf(stderr, "%s:%d: not so: %s\n    ", __FILE__, __LINE__, #condition); \
            fprintf(stderr, __VA_ARGS__);                                         \
            fputc('\n', stderr);                                                  \
            abort();                                                              \
        }                                                                         \
    } while (0)
