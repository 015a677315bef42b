#pragma once

#include <hdf5.h>

/*
 * A file driver through which HDF5 writes. HDF5 cannot close a file whose writes fail: it keeps the file, retries at exit and prints. This driver never reports
 * a failed write to HDF5. It remembers the first failure and drops all later bytes; the owner checks `failure` and gives up.
 */

typedef struct sink {
    int descriptor; /* open for reading and writing; not closed by HDF5 */
    int failure;    /* errno of the first write that failed, or 0; set it to drop all later bytes */
    void *closed;   /* HDF5's file object, which HDF5 still reads after closing it; sink_release() frees it */
} sink;

/* Opens the HDF5 file of the sink's descriptor for reading and writing. Otherwise as sink_create(). */
hid_t sink_open(sink *target, const char *name);

/* Makes a new HDF5 file on the sink, which must outlive it. `name` is for HDF5 only. Negative on failure. Closing the file closes all objects in it. */
hid_t sink_create(sink *target, const char *name);

/* To be called after HDF5 has closed the file, or when it never opened it. */
void sink_release(sink *target);
