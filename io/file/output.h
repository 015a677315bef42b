#pragma once

#include "io/file/error.h"

/*
 * A file that appears whole or not at all. It is written under a temporary name in its own folder, flushed to the disk, and renamed to the
 * final name. Until the rename an existing file of that name is untouched. The path "-" is the standard output. Temporary files of earlier
 * writers of the name that were killed are removed when it is opened again.
 */

typedef struct output_file output_file;

/* What the path may name besides an ordinary file. */
typedef enum output_target {
    OUTPUT_REGULAR, /* nothing else: the caller writes at random positions */
    OUTPUT_STREAM   /* a device, pipe or socket: the caller writes from front to back, directly into it */
} output_target;

/*
 * Begin to write the file. A symbolic link is followed: its target is replaced, not the link.
 * ABUT_OK; ABUT_ERROR_FILE; ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_INVALID_ARGUMENT for an empty path.
 */
abut_status output_open(const char *path, output_target target, output_file **file, abut_error *error);

/* Remove the temporary files of killed writers of this path, as output_open() does. What cannot be removed stays. */
void output_tidy(const char *path);

/* The descriptor to write to; it belongs to the file. */
int output_descriptor(const output_file *file);

/* Append `size` bytes. ABUT_OK; ABUT_ERROR_FILE, and then every later call fails with the same error. */
abut_status output_write(output_file *file, const void *bytes, size_t size, abut_error *error);

/* Copy all bytes of another open file, which is not changed. To be called before anything else is written. Statuses of output_write(). */
abut_status output_copy(output_file *file, int descriptor, abut_error *error);

/* Append formatted text of at most 1023 bytes. Statuses of output_write(). */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
abut_status
output_print(output_file *file, abut_error *error, const char *format, ...);

/* Flush, close and rename; frees the file in every case. ABUT_OK; ABUT_ERROR_FILE, and then nothing was replaced. */
abut_status output_commit(output_file *file, abut_error *error);

/* Close, remove the temporary file and free. NULL does nothing. */
void output_discard(output_file *file);

/* abut_fail() with "cannot write PATH: REASON" for an errno value, and advice for the common ones. ABUT_ERROR_FILE; ABUT_ERROR_OUT_OF_MEMORY for ENOMEM. */
abut_status output_fail(const char *path, int number, abut_error *error);

/*
 * Remove the temporary files of all outputs that are open, before the process ends. Returns the final name of one of them, or NULL when there
 * was none. Async-signal-safe, for the handler of a signal. The handler must run in the thread that works with the outputs.
 */
const char *output_remove_temporaries(void);
