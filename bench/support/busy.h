#pragma once

#include <stdbool.h>

/*
 * Processes that keep processors busy, as other programs on a machine do.
 */

enum { BUSY_MOST = 256 };

typedef struct busy {
    int count;
    long processes[BUSY_MOST];
} busy;

/* Starts a process for every processor that this process may use, except one, but at least one. False, with a message on stderr, on failure. */
bool busy_begin(busy *others);
void busy_end(busy *others);
