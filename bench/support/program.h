#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Other programs that a benchmark runs as processes, each in a temporary folder of its own.
 */

/* Whether the shell finds the program. */
bool program_is_here(const char *name);
/* Removes the named files of a folder, and the folder. */
void program_remove_folder(const char *folder, const char *const *names, size_t count);
