#pragma once

#include <abut/base.h>

#include "io/record/h5types.h"

/*
 * What a recorder needs of HDF5's writing side. Statuses are ABUT_OK, ABUT_ERROR_FILE when HDF5 fails, ABUT_ERROR_OUT_OF_MEMORY.
 */

/* A dataset that grows by rows of equal size. The buffer holds one chunk, so every chunk is compressed and written once. */
typedef struct h5_column {
    const char *name; /* of the dataset in its group; as the definition had it */
    hid_t dataset;
    hid_t memory_type; /* a copy of its own */
    layout_cell cell;
    int rank;
    hsize_t inner[2]; /* extents of a row */
    size_t row_bytes;
    hsize_t capacity; /* rows in the buffer and in a chunk */
    hsize_t buffered, stored;
    char *rows;
} h5_column;

/* How a growing dataset is laid out. */
typedef struct h5_column_def {
    const char *name;
    layout_cell cell;
    hid_t file_type;   /* 0 for the cell's own */
    int rank;          /* 1 to 3, the growing one included */
    hsize_t inner[2];  /* extents of a row, rank - 1 of them */
    hsize_t most_rows; /* the longest chunk */
    int compression;   /* deflate level */
} h5_column_def;

abut_status h5_column_create(hid_t group, const h5_column_def *def, h5_column *column);
abut_status h5_column_append(h5_column *column, const void *row);
/* Writes the buffered rows. */
abut_status h5_column_flush(h5_column *column);
/* Loses all rows, those in the file too. */
abut_status h5_column_empty(h5_column *column);
/* Frees the buffer; rows in it are lost. The dataset is closed with its file. A zero-initialised column is fine. */
void h5_column_release(h5_column *column);

/* A dataset written once; rank 0 makes a scalar. */
abut_status h5_write(hid_t group, const char *name, layout_cell cell, int rank, const hsize_t *extents, const void *cells);
abut_status h5_write_text(hid_t group, const char *name, const char *text);
/* Strings padded with zeros to the longest. */
abut_status h5_write_names(hid_t group, const char *name, const char *const *texts, hsize_t count);
/* An enumeration stored in a byte: names[i] stands for first + i. */
hid_t h5_enumeration(const char *const *names, int first, int count);
abut_status h5_write_enumeration(hid_t group, const char *name, hid_t type, hsize_t count, const int8_t *values);

/* Attributes; count > 1 makes an array. */
abut_status h5_write_attribute(hid_t object, const char *name, layout_cell cell, hsize_t count, const void *cells);
abut_status h5_write_text_attribute(hid_t object, const char *name, const char *text);

/* Of fixed length, ASCII, padded with zeros, as VTK's older readers want it. */
abut_status h5_write_word_attribute(hid_t object, const char *name, const char *word);
/* Bytes, with their sum by HDF5: damaged ones cannot be read. */
abut_status h5_write_bytes(hid_t group, const char *name, hsize_t count, const void *bytes);

hid_t h5_create_group(hid_t parent, const char *name);
