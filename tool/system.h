#pragma once

#include <stddef.h>

/*
 * What the command asks its system for. posix/ and windows/ have the same functions, and a build takes one of the folders.
 */

/* Before anything else: files fail instead of ending the process, and the standard streams carry bytes. */
void system_begin(void);

/* Calls `take` for each SIGINT, SIGTERM and SIGHUP (on Windows: Ctrl-C, Ctrl-Break, and the end of the console), and not while signals are held
 * (io/file/signals.h). `take` calls async-signal-safe functions only. Signals that the process inherited as ignored stay ignored. To be called from the main
 * thread. */
void system_watch_signals(void (*take)(int number));

/* The width of the terminal of the standard error stream, or 80. */
int system_terminal_columns(void);

/* The path of this executable, or "" when it is unknown. */
void system_program(char *path, size_t size);
