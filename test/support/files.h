#pragma once

#include <stddef.h>

/*
 * Files for the tests that write to disk. A call that fails makes the test fail.
 */

/* The bytes of a file followed by a zero; free() them. NULL if there is no such file. */
char *files_read(const char *path, size_t *size);
void files_write(const char *path, const void *bytes, size_t size);

/* Makes an empty folder of this name. Files in an existing folder are removed; folders in it are not. */
void files_empty_folder(const char *path);
/* Number of entries of the folder, including hidden ones. */
int files_count(const char *folder);

/* Limits all files of this process to this many bytes from now on. Later writes fail as on a full disk. 0 removes the limit. */
void files_limit(size_t bytes);
