#pragma once

#include <stddef.h>

#include "io/file/error.h"

/*
 * Whole files in memory, and paths relative to a file.
 */

/* All bytes of the file, with a zero behind them that is not counted; to be freed with free(). The path "-" is the standard input. Messages
 * begin with the path. ABUT_OK;
 * ABUT_ERROR_FILE when it is missing, unreadable, a folder, or larger than the limit; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status file_read(const char *path, size_t limit, char **data, size_t *length, abut_error *error);

/* The path of `name` as seen from the folder in which the file `beside` lies; an absolute name stays as it is. To be freed; NULL when
 * there is no memory. */
char *file_path_beside(const char *beside, const char *name);
