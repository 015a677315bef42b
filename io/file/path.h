#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * The parts of a path. On Windows, a backslash separates like a slash, and a path may begin with a drive.
 */

bool path_is_separator(char c);

/* Bytes of the folder in front of the name, with its last separator; 0 for a name in the current folder. */
size_t path_folder_length(const char *path);

/* Whether the path leads to the same file from any folder. */
bool path_is_absolute(const char *path);
