#pragma once

#include "io/file/output.h"
#include "io/record/sink.h"

/*
 * An HDF5 file that is written under a temporary name and appears whole or not at all, as file/output.h does it.
 */

typedef struct h5_file {
    char *path;
    output_file *output;
    sink target;
    hid_t file; /* negative while none is open */
} h5_file;

/* HDF5's own messages are of no use to a user. The macro switches them off during the call and then restores HDF5's setting. */
#define QUIETLY(call)       \
    H5E_BEGIN_TRY { call; } \
    H5E_END_TRY

/* Opens the temporary file; the caller then sets `file` by sink_create() or sink_open(). On a failure there is nothing to discard. ABUT_OK; ABUT_ERROR_FILE;
 * ABUT_ERROR_OUT_OF_MEMORY. */
abut_status h5_file_begin(h5_file *file, const char *path, abut_error *error);

/* The message for the status of a function that writes. A failed write of the system is the cause of any other failure, and is reported instead. */
abut_status h5_file_explain(const h5_file *file, abut_status status, abut_error *error);

/* Closes the HDF5 file. ABUT_ERROR_FILE when HDF5 fails. */
abut_status h5_file_close(h5_file *file);

/* Gives the closed file its name. Frees the members in every case. */
abut_status h5_file_commit(h5_file *file, abut_error *error);

/* Closes and removes the file, and frees the members. A zeroed h5_file is left alone. */
void h5_file_discard(h5_file *file);
