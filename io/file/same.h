#pragma once

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

/*
 * Names that lead to one file: other spellings of a path, symbolic links, hard links.
 */

/* The name that an output gets which is written to this path: links are followed, also a last one whose target does not exist yet. False when it is longer than
 * the system allows; a path that leads nowhere is copied. */
bool file_final_name(const char *path, char name[PATH_MAX]);

/* Whether writing the one would replace the other. Files that do not exist yet are compared by the names that they would get. Devices, pipes and sockets
 * replace nothing. */
bool file_is_same(const char *a, const char *b);

/* The same for two files that exist. */
bool file_is_same_stat(const struct stat *a, const struct stat *b);
