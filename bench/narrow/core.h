#pragma once

#include <stdint.h>

/* The processor core that the benchmark stays on, and the clock. */

/* Binds the process to a core: to `wanted`, or for -1 to the last one it may use. Returns its number; -1 when it could not be bound. */
int core_bind(int wanted);

/* The processor's name as the system has it; static storage. */
const char *core_processor(void);

/* Nanoseconds for which this thread has run so far: what other programs do on the same core does not count. */
int64_t core_time(void);
