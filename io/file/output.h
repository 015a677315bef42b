#pragma once

#include <stdbool.h>

#include "io/file/error.h"

/*
 * A file that appears whole or not at all: written under a temporary name in its own folder, flushed to the disk, then renamed over the
 * final name. Until the rename an existing file of that name is untouched.
 */

typedef struct output_file output_file;

/* What may stand at the path already, besides an ordinary file. */
typedef enum output_target {
    OUTPUT_REGULAR, /* nothing: the file is written at random positions */
    OUTPUT_STREAM   /* a device, pipe or socket: it is written from front to back, directly, and never renamed over */
} output_target;

/*
 * Begin to write the file. A symbolic link is followed, so that the file it points to is replaced and not the link.
 * ABUT_OK; ABUT_ERROR_FILE; ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_INVALID_ARGUMENT for an empty path.
 */
abut_status output_open(const char *path, output_target target, output_file **file, abut_error *error);

/* The descriptor to write to; it belongs to the file. */
int output_descriptor(const output_file *file);

/* Write `size` bytes at the end of what was written before. ABUT_OK; ABUT_ERROR_FILE, and then every later call fails alike. */
abut_status output_write(output_file *file, const void *bytes, size_t size, abut_error *error);

/* Write all bytes of another open file, which stays as it is, before anything else. As output_write(). */
abut_status output_copy(output_file *file, int descriptor, abut_error *error);

/* As fprintf, with the statuses of output_write(). */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
abut_status
output_print(output_file *file, abut_error *error, const char *format, ...);

/* Flush, close and rename; frees the file in every case. ABUT_OK; ABUT_ERROR_FILE, and then nothing was replaced. */
abut_status output_commit(output_file *file, abut_error *error);

/* Close, remove the temporary file and free. NULL does nothing. */
void output_discard(output_file *file);

/* abut_fail() with "cannot write PATH: REASON" for an errno value, and what can be done about the common ones. */
abut_status output_fail(const char *path, int number, abut_error *error);
