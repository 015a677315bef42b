#pragma once

#include <hdf5.h>

/*
 * Where HDF5 writes to. HDF5 cannot close a file whose writes fail: it keeps it, retries at exit and prints. So its bytes go through a file
 * driver of our own, which remembers the first failure and from then on takes everything and keeps nothing; the owner looks at `failure`
 * and gives up.
 */

typedef struct sink {
    int descriptor; /* open for reading and writing; not closed by HDF5 */
    int failure;    /* errno of the first write that failed, or 0; set it to let the rest go nowhere */
    void *closed;   /* HDF5's file, which it looks at once more after it has closed it; sink_release() frees it */
} sink;

/* The HDF5 file that the sink's descriptor has, to be read and written; otherwise as sink_create(). */
hid_t sink_open(sink *target, const char *name);

/* A new HDF5 file on the sink, which must outlive it. `name` is shown by HDF5 only. Negative on failure. Closing it closes all in it. */
hid_t sink_create(sink *target, const char *name);

/* When HDF5 has closed the file, or never opened it. */
void sink_release(sink *target);
