#pragma once

#include <stdbool.h>

/*
 * Engines of another process: MuJoCo and Coal, which come as Python packages (peers.py). They get the sets of this run, and their turn in every round. Without
 * remote_start() they take no set.
 */

/* Starts peers.py with this interpreter. False, with the reason on standard error, where that fails or a package is missing. */
bool remote_start(const char *python);
void remote_stop(void);

/* "MuJoCo VERSION" and "Coal VERSION"; NULL before remote_start(). */
const char *remote_name(int peer);
