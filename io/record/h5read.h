#pragma once

#include <abut/base.h>

#include "io/record/h5types.h"

/*
 * What a reader of recordings needs of HDF5's reading side. The extents of a dataset are checked before anything is read. Statuses are
 * ABUT_OK, ABUT_ERROR_FORMAT when a dataset is missing, of another kind or extent, or damaged, and ABUT_ERROR_OUT_OF_MEMORY.
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

/* A whole dataset of rows of `width` cells (1: a vector) into new memory, to be freed; never NULL on success. */
abut_status h5_read_all(hid_t file, const char *path, layout_cell cell, hsize_t width, void **cells, hsize_t *count);
/* A whole dataset that must have `count` rows. */
abut_status h5_read_counted(hid_t file, const char *path, layout_cell cell, hsize_t width, hsize_t count, void **cells);

struct abut_recording;
/* The file of an open recording; it belongs to the recording. */
hid_t recording_file(const struct abut_recording *recording);

/* A scalar text, or a vector of texts, of fixed length: copies of `*stride` bytes each, ended by zeros. */
abut_status h5_read_text(hid_t file, const char *path, char **text);
abut_status h5_read_names(hid_t file, const char *path, char **names, size_t *stride, hsize_t *count);

abut_status h5_read_attribute(hid_t object, const char *name, layout_cell cell, hsize_t count, void *cells);
/* A text of variable length: a copy, to be freed. */
abut_status h5_read_text_attribute(hid_t object, const char *name, char **text);
