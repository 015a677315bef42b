/*
 * Growing columns, datasets and attributes of an HDF5 file.
 */
#include "io/record/h5write.h"

#include <stdlib.h>
#include <string.h>

/* The largest size of a chunk: enough to compress well, and small enough to read one frame quickly. */
enum { CHUNK_BYTES = 1 << 17 };

static abut_status status_of(herr_t result) { return result < 0 ? ABUT_ERROR_FILE : ABUT_OK; }

/* No time stamps in the file: equal runs give equal objects. */
static hid_t creation_properties(hid_t class) {
    hid_t properties = H5Pcreate(class);
    H5Pset_obj_track_times(properties, 0);
    return properties;
}

static hid_t create_growing(hid_t group, const h5_column_def *def, hsize_t chunk_rows) {
    hsize_t now[3] = {0, def->inner[0], def->inner[1]};
    hsize_t most[3] = {H5S_UNLIMITED, def->inner[0] ? def->inner[0] : 1, def->inner[1] ? def->inner[1] : 1};
    hsize_t chunk[3] = {chunk_rows, most[1], most[2]};
    hid_t space = H5Screate_simple(def->rank, now, most);
    hid_t properties = creation_properties(H5P_DATASET_CREATE);
    hid_t type = def->file_type > 0 ? def->file_type : h5_file_type(def->cell);
    hid_t dataset = -1;
    if (H5Pset_chunk(properties, def->rank, chunk) >= 0 &&
        (def->compression == 0 || (H5Pset_shuffle(properties) >= 0 && H5Pset_deflate(properties, (unsigned)def->compression) >= 0))) {
        dataset = H5Dcreate2(group, def->name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    }
    H5Pclose(properties);
    H5Sclose(space);
    return dataset;
}

abut_status h5_column_create(hid_t group, const h5_column_def *def, h5_column *column) {
    h5_column made = {.name = def->name,
                      .cell = def->cell,
                      .rank = def->rank,
                      .inner = {def->inner[0], def->inner[1]},
                      .row_bytes = layout_cell_size(def->cell)};
    for (int i = 0; i < def->rank - 1; i++) {
        made.row_bytes *= (size_t)def->inner[i];
    }
    hsize_t fitting = made.row_bytes > 0 ? CHUNK_BYTES / made.row_bytes : def->most_rows;
    made.capacity = fitting < 1 ? 1 : fitting > def->most_rows ? def->most_rows : fitting;
    made.rows = malloc(made.row_bytes > 0 ? made.row_bytes * made.capacity : 1);
    if (!made.rows) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    made.dataset = create_growing(group, def, made.capacity);
    if (made.dataset < 0) {
        free(made.rows);
        return ABUT_ERROR_FILE;
    }
    made.memory_type = H5Tcopy(def->file_type > 0 ? def->file_type : h5_memory_type(def->cell));
    *column = made;
    return ABUT_OK;
}

static herr_t write_rows(const h5_column *column) {
    hsize_t start[3] = {column->stored, 0, 0};
    hsize_t count[3] = {column->buffered, column->inner[0], column->inner[1]};
    hid_t memory = H5Screate_simple(column->rank, count, NULL);
    hid_t space = H5Dget_space(column->dataset);
    herr_t result = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
    if (result >= 0) {
        result = H5Dwrite(column->dataset, column->memory_type, memory, space, H5P_DEFAULT, column->rows);
    }
    H5Sclose(space);
    H5Sclose(memory);
    return result;
}

abut_status h5_column_flush(h5_column *column) {
    if (column->buffered == 0) {
        return ABUT_OK;
    }
    hsize_t extent[3] = {column->stored + column->buffered, column->inner[0], column->inner[1]};
    if (H5Dset_extent(column->dataset, extent) < 0) {
        return ABUT_ERROR_FILE;
    }
    abut_status status = column->row_bytes > 0 ? status_of(write_rows(column)) : ABUT_OK;
    column->stored += column->buffered;
    column->buffered = 0;
    return status;
}

abut_status h5_column_append(h5_column *column, const void *row) {
    if (column->row_bytes > 0) {
        memcpy(column->rows + column->buffered * column->row_bytes, row, column->row_bytes);
    }
    column->buffered++;
    return column->buffered == column->capacity ? h5_column_flush(column) : ABUT_OK;
}

abut_status h5_column_empty(h5_column *column) {
    const hsize_t extent[3] = {0, column->inner[0], column->inner[1]};
    column->buffered = 0;
    column->stored = 0;
    return status_of(H5Dset_extent(column->dataset, extent));
}

void h5_column_release(h5_column *column) {
    if (column->rows) {
        H5Tclose(column->memory_type);
    }
    free(column->rows);
    column->rows = NULL;
}

static abut_status write_typed(hid_t group, const char *name, hid_t file_type, hid_t memory_type, int rank, const hsize_t *extents,
                               const void *cells) {
    hsize_t count = 1;
    for (int i = 0; i < rank; i++) {
        count *= extents[i];
    }
    hid_t space = rank > 0 ? H5Screate_simple(rank, extents, NULL) : H5Screate(H5S_SCALAR);
    hid_t properties = creation_properties(H5P_DATASET_CREATE);
    hid_t dataset = H5Dcreate2(group, name, file_type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    herr_t result = dataset < 0 ? -1 : 0;
    if (result >= 0 && count > 0) {
        result = H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, cells);
    }
    H5Dclose(dataset);
    H5Pclose(properties);
    H5Sclose(space);
    return status_of(result);
}

abut_status h5_write(hid_t group, const char *name, layout_cell cell, int rank, const hsize_t *extents, const void *cells) {
    return write_typed(group, name, h5_file_type(cell), h5_memory_type(cell), rank, extents, cells);
}

/* A string type of fixed length, UTF-8, padded with zeros. HDF5 has no strings of length 0. */
static hid_t string_type(size_t length) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, length > 0 ? length : 1);
    H5Tset_cset(type, H5T_CSET_UTF8);
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    return type;
}

abut_status h5_write_text(hid_t group, const char *name, const char *text) {
    hid_t type = string_type(strlen(text));
    abut_status status = write_typed(group, name, type, type, 0, NULL, text);
    H5Tclose(type);
    return status;
}

abut_status h5_write_names(hid_t group, const char *name, const char *const *texts, hsize_t count) {
    size_t longest = 1;
    for (hsize_t i = 0; i < count; i++) {
        size_t length = strlen(texts[i]);
        longest = length > longest ? length : longest;
    }
    char *cells = calloc(count > 0 ? count : 1, longest);
    if (!cells) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (hsize_t i = 0; i < count; i++) {
        memcpy(cells + i * longest, texts[i], strlen(texts[i]));
    }
    hid_t type = string_type(longest);
    abut_status status = write_typed(group, name, type, type, 1, &count, cells);
    H5Tclose(type);
    free(cells);
    return status;
}

hid_t h5_enumeration(const char *const *names, int first, int count) {
    hid_t type = H5Tenum_create(H5T_STD_I8LE);
    for (int i = 0; i < count; i++) {
        int8_t value = (int8_t)(first + i);
        H5Tenum_insert(type, names[i], &value);
    }
    return type;
}

abut_status h5_write_enumeration(hid_t group, const char *name, hid_t type, hsize_t count, const int8_t *values) {
    return write_typed(group, name, type, type, 1, &count, values);
}

static abut_status write_typed_attribute(hid_t object, const char *name, hid_t file_type, hid_t memory_type, hsize_t count,
                                         const void *cells) {
    hid_t space = count > 1 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    hid_t attribute = H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t result = attribute < 0 ? -1 : H5Awrite(attribute, memory_type, cells);
    H5Aclose(attribute);
    H5Sclose(space);
    return status_of(result);
}

abut_status h5_write_attribute(hid_t object, const char *name, layout_cell cell, hsize_t count, const void *cells) {
    return write_typed_attribute(object, name, h5_file_type(cell), h5_memory_type(cell), count, cells);
}

abut_status h5_write_text_attribute(hid_t object, const char *name, const char *text) {
    /* Variable length: most readers show such an attribute as a string, but one of fixed length as bytes. */
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, H5T_VARIABLE);
    H5Tset_cset(type, H5T_CSET_UTF8);
    abut_status status = write_typed_attribute(object, name, type, type, 1, &text);
    H5Tclose(type);
    return status;
}

abut_status h5_write_word_attribute(hid_t object, const char *name, const char *word) {
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(word));
    H5Tset_strpad(type, H5T_STR_NULLPAD);
    abut_status status = write_typed_attribute(object, name, type, type, 1, word);
    H5Tclose(type);
    return status;
}

abut_status h5_write_bytes(hid_t group, const char *name, hsize_t count, const void *bytes) {
    hsize_t chunk = count < 1 ? 1 : count < (1 << 20) ? count : 1 << 20;
    hid_t space = H5Screate_simple(1, &count, NULL);
    hid_t properties = creation_properties(H5P_DATASET_CREATE);
    hid_t dataset = -1;
    if (H5Pset_chunk(properties, 1, &chunk) >= 0 && H5Pset_fletcher32(properties) >= 0) {
        dataset = H5Dcreate2(group, name, H5T_STD_I8LE, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    }
    herr_t result = dataset < 0 ? -1 : 0;
    if (result >= 0 && count > 0) {
        result = H5Dwrite(dataset, H5T_NATIVE_INT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
    }
    H5Dclose(dataset);
    H5Pclose(properties);
    H5Sclose(space);
    return status_of(result);
}

hid_t h5_create_group(hid_t parent, const char *name) {
    hid_t properties = creation_properties(H5P_GROUP_CREATE);
    hid_t group = H5Gcreate2(parent, name, H5P_DEFAULT, properties, H5P_DEFAULT);
    H5Pclose(properties);
    return group;
}
