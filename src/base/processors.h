#pragma once

#include <stdint.h>

/*
 * The processors of the machine.
 */

/* Number of processors that this process may use, at least 1. The system is asked once. */
int32_t processors_available(void);

/* Asks the system again at the next call, for a child after fork(). */
void processors_forget(void);

/* The processor that runs the calling thread now; -1 where the system does not tell. */
int32_t processors_current(void);
