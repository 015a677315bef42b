/*
 * HDF5 files that appear whole or not at all.
 */
#include "io/record/h5file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

abut_status h5_file_begin(h5_file *file, const char *path, abut_error *error) {
    *file = (h5_file){.path = strdup(path), .file = -1};
    if (!file->path) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "cannot write '%s': no memory", path);
    }
    abut_status status = output_open(path, OUTPUT_REGULAR, &file->output, error);
    if (status) {
        h5_file_discard(file);
        return status;
    }
    file->target.descriptor = output_descriptor(file->output);
    return ABUT_OK;
}

abut_status h5_file_explain(const h5_file *file, abut_status status, abut_error *error) {
    if (file->target.failure) {
        return output_fail(file->path, file->target.failure, error);
    }
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        return abut_fail(error, status, "cannot write '%s': no memory", file->path);
    }
    if (status == ABUT_ERROR_UNSUPPORTED) {
        return abut_fail(error, status, "cannot write '%s': a body got a shape with other triangles", file->path);
    }
    return status ? abut_fail(error, status, "cannot write '%s': HDF5 failed to store the data", file->path) : ABUT_OK;
}

abut_status h5_file_close(h5_file *file) {
    herr_t closed = 0;
    QUIETLY(closed = H5Fclose(file->file));
    file->file = -1;
    return closed < 0 ? ABUT_ERROR_FILE : ABUT_OK;
}

static void release(h5_file *file) {
    sink_release(&file->target);
    free(file->path);
    *file = (h5_file){.file = -1};
}

abut_status h5_file_commit(h5_file *file, abut_error *error) {
    abut_status status = output_commit(file->output, error);
    release(file);
    return status;
}

void h5_file_discard(h5_file *file) {
    if (file->path && file->file >= 0) {
        file->target.failure = ECANCELED; /* HDF5 may still write, but the sink drops it */
        (void)h5_file_close(file);
    }
    output_discard(file->output);
    release(file);
}
