#pragma once

#include <stddef.h>

/*
 * Files for the tests of what is written to disk. A call that cannot do its work fails the test.
 */

/* The bytes of a file with a zero behind them; free() them. NULL when there is no such file. */
char *files_read(const char *path, size_t *size);
void files_write(const char *path, const void *bytes, size_t size);

/* An empty folder of that name: what is in it already is removed, folders in it are not. */
void files_empty_folder(const char *path);
/* Entries of the folder, hidden ones included. */
int files_count(const char *folder);

/* No file of this process grows beyond so many bytes from now on; writes then fail, as on a full disk. 0 lifts the limit. */
void files_limit(size_t bytes);
