#pragma once

#include <stddef.h>

#include "io/file/error.h"

/*
 * Whole files in memory, and paths relative to a file.
 */

/* Reads all bytes of the file and adds a zero byte, which is not counted. The path "-" is the standard input. *data is to be freed with
 * free(). Messages begin with file_label(path). ABUT_OK;
 * ABUT_ERROR_FILE when the file is missing, unreadable, a folder, or larger than the limit; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status file_read(const char *path, size_t limit, char **data, size_t *length, abut_error *error);

/* A program may ask to be told of every input: files that file_read() reads, and recordings. `descriptor` is open while the listener works. One listener for
 * all; NULL for none. */
typedef void file_listener(int descriptor, const char *path);
void file_listen(file_listener *listener);

/* Tells the listener, if there is one, of an input that was not read by file_read(). */
void file_tell(int descriptor, const char *path);

/* How messages name a path: "<stdin>" for "-", else the path itself. */
const char *file_label(const char *path);

/* The path of `name` relative to the folder of the file `beside`. An absolute name stays unchanged. To be freed; NULL when there is no memory. */
char *file_path_beside(const char *beside, const char *name);
