#pragma once

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Names that lead to one file: other spellings of a path, symbolic links, hard links.
 */

/* The name that an output gets which is written to this path: links are followed, also a last one whose target does not exist yet (not on Windows). False when
 * it is longer than the system allows; a path that leads nowhere is copied. */
bool file_final_name(const char *path, char name[PATH_MAX]);

/* Whether writing the one would replace the other. Files that do not exist yet are compared by the names that they would get. Devices, pipes and sockets
 * replace nothing. */
bool file_is_same(const char *a, const char *b);

/* What the system tells files apart by. */
typedef struct file_identity {
    uint64_t device, number;
    bool is_kept; /* not a pipe, say, which has no contents that could be replaced */
} file_identity;

/* The identity of a file that exists, by its path or its descriptor. False when there is none. */
bool file_identify(const char *path, file_identity *file);
bool file_identify_open(int descriptor, file_identity *file);

/* file_is_same() for two files that exist. */
bool file_is_same_identity(const file_identity *a, const file_identity *b);
