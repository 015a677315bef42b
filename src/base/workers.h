#pragma once

#include "base/shared_loop.h"

/*
 * The library's own threads. They help other threads with their loops (base/shared_loop.h), spin for some microseconds after a loop, and then
 * sleep. They are started when a loop first wants them, and end with the process.
 */

/* Runs a loop on this number of threads, among them the caller; < 1: one for each processor. False, without having run anything, if the caller must
 * run it alone. */
bool workers_run(const loop_work *work, int32_t threads);
