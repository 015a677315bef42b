#pragma once

#include <abut/base.h>

#include "io/record/h5types.h"

/*
 * Writing HDF5 for recordings. Statuses are ABUT_OK, ABUT_ERROR_FILE when HDF5 fails, ABUT_ERROR_OUT_OF_MEMORY.
 */

/* A dataset that grows by rows of equal size. The buffer holds one chunk, so every chunk is compressed and written once. */
typedef struct h5_column {
    const char *name; /* of the dataset in its group; the pointer of the definition */
    hid_t dataset;
    hid_t memory_type; /* owned copy */
    layout_cell cell;
    int rank;
    hsize_t inner[2]; /* extents of a row */
    size_t row_bytes;
    hsize_t capacity; /* rows in the buffer and in a chunk */
    hsize_t buffered, stored;
    char *rows;
} h5_column;

/* The layout of a growing dataset. */
typedef struct h5_column_def {
    const char *name;
    layout_cell cell;
    hid_t file_type;   /* 0 for the type of the cell */
    int rank;          /* 1 to 3, including the growing dimension */
    hsize_t inner[2];  /* rank - 1 extents of a row */
    hsize_t most_rows; /* the longest chunk */
    int compression;   /* deflate level */
} h5_column_def;

abut_status h5_column_create(hid_t group, const h5_column_def *def, h5_column *column);
abut_status h5_column_append(h5_column *column, const void *row);
/* Writes the buffered rows. */
abut_status h5_column_flush(h5_column *column);
/* Removes all rows, also those in the file. */
abut_status h5_column_empty(h5_column *column);
/* Frees the buffer; its rows are lost. The dataset is closed with its file. A zero-initialised column is allowed. */
void h5_column_release(h5_column *column);

/* A dataset written once; rank 0 makes a scalar. */
abut_status h5_write(hid_t group, const char *name, layout_cell cell, int rank, const hsize_t *extents, const void *cells);
abut_status h5_write_text(hid_t group, const char *name, const char *text);
/* Strings padded with zeros to the longest. */
abut_status h5_write_names(hid_t group, const char *name, const char *const *texts, hsize_t count);
/* An enumeration in one byte: names[i] is the value first + i. */
hid_t h5_enumeration(const char *const *names, int first, int count);
abut_status h5_write_enumeration(hid_t group, const char *name, hid_t type, hsize_t count, const int8_t *values);

/* Attributes; count > 1 makes an array. */
abut_status h5_write_attribute(hid_t object, const char *name, layout_cell cell, hsize_t count, const void *cells);
abut_status h5_write_text_attribute(hid_t object, const char *name, const char *text);

/* A string attribute of fixed length, ASCII, padded with zeros, as older readers of VTK need it. */
abut_status h5_write_word_attribute(hid_t object, const char *name, const char *word);
/* Bytes with HDF5's checksum: HDF5 refuses to read damaged bytes. */
abut_status h5_write_bytes(hid_t group, const char *name, hsize_t count, const void *bytes);

hid_t h5_create_group(hid_t parent, const char *name);
