#pragma once

#include <stdint.h>

/* The processor core of the benchmark, and the clock. */

/* Binds the process to the core `wanted`, or for -1 to the last one that it may use. Returns the core; -1 when binding failed. */
int core_bind(int wanted);

/* The processor's name from the system; static storage. */
const char *core_processor(void);

/* Nanoseconds that this thread has run so far. Other programs on the same core do not count. */
int64_t core_time(void);
