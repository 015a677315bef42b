#pragma once

#include <abut/base.h>

#include "io/record/h5types.h"

/*
 * Reading HDF5 for recordings. The extents of a dataset are checked before it is read. Statuses are ABUT_OK, ABUT_ERROR_FORMAT when a dataset is missing,
 * damaged, or of another kind or extent, and ABUT_ERROR_OUT_OF_MEMORY.
 */

/* A dataset whose rows are read a few at a time. */
typedef struct h5_rows {
    hid_t dataset;
    hid_t memory_type;
    int rank;
    hsize_t count;    /* rows */
    hsize_t inner[2]; /* extents of a row */
} h5_rows;

/* Opens the dataset; its rank must be `rank` and its rows must have the extents inner[0 .. rank - 2]. */
abut_status h5_rows_open(hid_t file, const char *path, layout_cell cell, int rank, hsize_t inner0, hsize_t inner1, h5_rows *rows);
void h5_rows_close(h5_rows *rows);
abut_status h5_rows_read(const h5_rows *rows, hsize_t first, hsize_t count, void *cells);

/* Reads a whole dataset of rows of `width` cells (1: a vector) into new memory, to be freed; never NULL on success. */
abut_status h5_read_all(hid_t file, const char *path, layout_cell cell, hsize_t width, void **cells, hsize_t *count);
/* Reads a whole dataset that must have `count` rows. */
abut_status h5_read_counted(hid_t file, const char *path, layout_cell cell, hsize_t width, hsize_t count, void **cells);

struct abut_recording;
/* The file of an open recording; it belongs to the recording. */
hid_t recording_file(const struct abut_recording *recording);

/* Reads a scalar text, or a vector of texts, of fixed length. The copies have `*stride` bytes each and end with zeros. */
abut_status h5_read_text(hid_t file, const char *path, char **text);
abut_status h5_read_names(hid_t file, const char *path, char **names, size_t *stride, hsize_t *count);

abut_status h5_read_attribute(hid_t object, const char *name, layout_cell cell, hsize_t count, void *cells);
/* Reads a text of variable length; the copy is to be freed. */
abut_status h5_read_text_attribute(hid_t object, const char *name, char **text);
