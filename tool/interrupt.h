#pragma once

#include <stdbool.h>

#include "tool/cli.h"

/*
 * SIGINT (Ctrl-C), SIGTERM and SIGHUP. Each of them ends the command with a line on stderr and the exit status 128 + signal. Temporary files are
 * removed, so earlier results stay as they were. Signals that the command inherits as ignored stay ignored: nohup relies on it.
 */

/* Watch the signals from now on. To be called once, from the main thread. */
void interrupt_watch(const cli_command *command);

/* From now on the first signal is only noted, and the second one ends the command. */
void interrupt_defer(void);

/* The number of the signal that was noted, or 0. */
int interrupt_noted(void);
