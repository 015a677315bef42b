/*
 * Reads datasets and attributes of an HDF5 file that may come from anyone, so everything is checked before it is read.
 */
#include "io/record/h5read.h"

#include <stdlib.h>
#include <string.h>

/* Allocates count * size + 1 zeroed bytes; NULL when there is no memory. */
static void *cells_allocate(hsize_t count, size_t size) {
    if (size > 0 && count > (SIZE_MAX / 2) / size) {
        return NULL;
    }
    return calloc((size_t)count * size + 1, 1);
}

/* ---- opening ---- */

/* Deflate shrinks nothing by more than this. */
enum { MOST_SHRINKING = 1032, CACHED_CHUNK = 1 << 20 };

/* The factor by which the stored bytes may grow when they are read. 0 for filters that no recording has: another program may have any. */
static hsize_t most_growth(hid_t properties) {
    int count = H5Pget_nfilters(properties);
    hsize_t growth = 1;
    for (int i = 0; i < count; i++) {
        unsigned flags, settings;
        size_t setting_count = 0;
        H5Z_filter_t filter = H5Pget_filter2(properties, (unsigned)i, &flags, &setting_count, NULL, 0, NULL, &settings);
        if (filter == H5Z_FILTER_DEFLATE && growth == 1) {
            growth = MOST_SHRINKING;
        } else if (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_FLETCHER32) {
            return 0;
        }
    }
    return count < 0 ? 0 : growth;
}

/* count * size, at most 2^62. */
static hsize_t product(hsize_t count, hsize_t size) {
    const hsize_t most = (hsize_t)1 << 62;
    return size > 0 && count > most / size ? most : count * size;
}

/* Bytes of a chunk when it is read; 0 for a dataset without chunks. */
static hsize_t chunk_bytes(hid_t properties, hsize_t size) {
    hsize_t extent[H5S_MAX_RANK], bytes = size;
    int rank = H5Pget_layout(properties) == H5D_CHUNKED ? H5Pget_chunk(properties, H5S_MAX_RANK, extent) : 0;
    for (int i = 0; i < rank; i++) {
        bytes = product(bytes, extent[i]);
    }
    return rank > 0 ? bytes : 0;
}

/* Whether both objects belong to the file of one name. A link may lead to another file. */
static bool is_same_file(hid_t a, hid_t b) {
    enum { SIZE = 4096 };
    char names[2][SIZE];
    ssize_t lengths[2] = {H5Fget_name(a, names[0], SIZE), H5Fget_name(b, names[1], SIZE)};
    return lengths[0] > 0 && lengths[0] < SIZE && lengths[0] == lengths[1] && strcmp(names[0], names[1]) == 0;
}

/* Whether the values are in this file, and no more than its bytes can hold. A file of a few kilobytes may declare any extent. *chunk receives the bytes of a
 * chunk. */
static bool is_held(hid_t file, hid_t dataset, hsize_t *chunk) {
    hid_t properties = H5Dget_create_plist(dataset), space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    H5D_layout_t layout = H5Pget_layout(properties);
    bool held = is_same_file(file, dataset) && (layout == H5D_COMPACT || layout == H5D_CONTIGUOUS || layout == H5D_CHUNKED) &&
                H5Pget_external_count(properties) == 0;
    hssize_t count = H5Sget_simple_extent_npoints(space);
    hsize_t size = H5Tget_size(type), stored = H5Dget_storage_size(dataset), growth = most_growth(properties);
    *chunk = chunk_bytes(properties, size);
    hsize_t whole = product(count > 0 ? (hsize_t)count : 0, size), least = whole > 0 && *chunk > whole ? *chunk : whole;
    held = held && count >= 0 && growth > 0 && least <= product(stored, growth);
    H5Tclose(type);
    H5Sclose(space);
    H5Pclose(properties);
    return held;
}

/* Opens the dataset again with a cache for a whole chunk. Otherwise every row would uncompress its chunk again. */
static hid_t open_with_cache(hid_t file, const char *path, hsize_t chunk) {
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    hid_t dataset = H5Pset_chunk_cache(access, H5D_CHUNK_CACHE_NSLOTS_DEFAULT, (size_t)chunk, H5D_CHUNK_CACHE_W0_DEFAULT) >= 0
                        ? H5Dopen2(file, path, access)
                        : -1;
    H5Pclose(access);
    return dataset;
}

/* Opens a dataset. Negative when there is none, or when its values are not in this file. */
static hid_t dataset_open(hid_t file, const char *path) {
    hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    hsize_t chunk = 0;
    if (dataset >= 0 && !is_held(file, dataset, &chunk)) {
        H5Dclose(dataset);
        return -1;
    }
    if (dataset >= 0 && chunk > CACHED_CHUNK) {
        H5Dclose(dataset);
        return open_with_cache(file, path, chunk);
    }
    return dataset;
}

/* ---- reading ---- */

static bool is_number(hid_t type) {
    H5T_class_t class = H5Tget_class(type);
    return class == H5T_INTEGER || class == H5T_FLOAT || class == H5T_ENUM;
}

abut_status h5_rows_open(hid_t file, const char *path, layout_cell cell, int rank, hsize_t inner0, hsize_t inner1, h5_rows *rows) {
    h5_rows made = {.memory_type = h5_memory_type(cell), .rank = rank, .inner = {inner0, inner1}};
    made.dataset = dataset_open(file, path);
    if (made.dataset < 0) {
        return ABUT_ERROR_FORMAT;
    }
    hid_t space = H5Dget_space(made.dataset), type = H5Dget_type(made.dataset);
    hsize_t extent[3] = {0, 0, 0};
    bool right = is_number(type) && H5Sget_simple_extent_ndims(space) == rank && H5Sget_simple_extent_dims(space, extent, NULL) == rank &&
                 (rank < 2 || extent[1] == inner0) && (rank < 3 || extent[2] == inner1);
    H5Tclose(type);
    H5Sclose(space);
    if (!right) {
        H5Dclose(made.dataset);
        return ABUT_ERROR_FORMAT;
    }
    made.count = extent[0];
    *rows = made;
    return ABUT_OK;
}

void h5_rows_close(h5_rows *rows) {
    if (rows->dataset > 0) {
        H5Dclose(rows->dataset);
    }
    rows->dataset = 0;
}

abut_status h5_rows_read(const h5_rows *rows, hsize_t first, hsize_t count, void *cells) {
    if (count == 0 || (rows->rank > 1 && rows->inner[0] == 0)) {
        return ABUT_OK;
    }
    if (first > rows->count || count > rows->count - first) {
        return ABUT_ERROR_FORMAT;
    }
    hsize_t start[3] = {first, 0, 0}, extent[3] = {count, rows->inner[0], rows->inner[1]};
    hid_t memory = H5Screate_simple(rows->rank, extent, NULL), space = H5Dget_space(rows->dataset);
    herr_t result = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, extent, NULL);
    if (result >= 0) {
        result = H5Dread(rows->dataset, rows->memory_type, memory, space, H5P_DEFAULT, cells);
    }
    H5Sclose(space);
    H5Sclose(memory);
    return result < 0 ? ABUT_ERROR_FORMAT : ABUT_OK;
}

abut_status h5_read_all(hid_t file, const char *path, layout_cell cell, hsize_t width, void **cells, hsize_t *count) {
    h5_rows rows;
    abut_status status = h5_rows_open(file, path, cell, width > 1 ? 2 : 1, width, 0, &rows);
    if (status) {
        return status;
    }
    void *made = cells_allocate(rows.count, layout_cell_size(cell) * (size_t)width);
    status = made ? h5_rows_read(&rows, 0, rows.count, made) : ABUT_ERROR_OUT_OF_MEMORY;
    *count = rows.count;
    h5_rows_close(&rows);
    if (status) {
        free(made);
        return status;
    }
    *cells = made;
    return ABUT_OK;
}

abut_status h5_read_counted(hid_t file, const char *path, layout_cell cell, hsize_t width, hsize_t count, void **cells) {
    void *made = NULL;
    hsize_t found = 0;
    abut_status status = h5_read_all(file, path, cell, width, &made, &found);
    if (status) {
        return status;
    }
    if (found != count) {
        free(made);
        return ABUT_ERROR_FORMAT;
    }
    *cells = made;
    return ABUT_OK;
}

/* The size of a text type of fixed length; 0 for any other type. */
static size_t text_size(hid_t type) { return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 ? H5Tget_size(type) : 0; }

/* The type in memory, one byte longer than in the file, so that every text ends in a zero. */
static hid_t ended_text_type(hid_t file_type, size_t size) {
    hid_t type = H5Tcopy(file_type);
    H5Tset_size(type, size + 1);
    H5Tset_strpad(type, H5T_STR_NULLTERM);
    return type;
}

abut_status h5_read_names(hid_t file, const char *path, char **names, size_t *stride, hsize_t *count) {
    hid_t dataset = dataset_open(file, path);
    if (dataset < 0) {
        return ABUT_ERROR_FORMAT;
    }
    hid_t space = H5Dget_space(dataset), file_type = H5Dget_type(dataset);
    size_t size = text_size(file_type);
    hsize_t extent = 1;
    int rank = H5Sget_simple_extent_ndims(space);
    abut_status status = size > 0 && rank <= 1 && H5Sget_simple_extent_dims(space, &extent, NULL) == rank ? ABUT_OK : ABUT_ERROR_FORMAT;
    char *made = status ? NULL : cells_allocate(extent, size + 1);
    if (!status && !made) {
        status = ABUT_ERROR_OUT_OF_MEMORY;
    }
    if (!status) {
        hid_t type = ended_text_type(file_type, size);
        if (extent > 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, made) < 0) {
            status = ABUT_ERROR_FORMAT;
        }
        H5Tclose(type);
    }
    H5Tclose(file_type);
    H5Sclose(space);
    H5Dclose(dataset);
    if (status) {
        free(made);
        return status;
    }
    *names = made;
    *stride = size + 1;
    *count = extent;
    return ABUT_OK;
}

abut_status h5_read_text(hid_t file, const char *path, char **text) {
    size_t stride;
    hsize_t count;
    char *made;
    abut_status status = h5_read_names(file, path, &made, &stride, &count);
    if (!status && count != 1) {
        free(made);
        status = ABUT_ERROR_FORMAT;
    }
    if (!status) {
        *text = made;
    }
    return status;
}

abut_status h5_read_attribute(hid_t object, const char *name, layout_cell cell, hsize_t count, void *cells) {
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) {
        return ABUT_ERROR_FORMAT;
    }
    hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
    bool right = is_number(type) && H5Sget_simple_extent_npoints(space) == (hssize_t)count;
    herr_t result = right ? H5Aread(attribute, h5_memory_type(cell), cells) : -1;
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attribute);
    return result < 0 ? ABUT_ERROR_FORMAT : ABUT_OK;
}

abut_status h5_read_text_attribute(hid_t object, const char *name, char **text) {
    hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
    if (attribute < 0) {
        return ABUT_ERROR_FORMAT;
    }
    hid_t space = H5Aget_space(attribute), type = H5Aget_type(attribute);
    bool right = H5Tis_variable_str(type) > 0 && H5Sget_simple_extent_npoints(space) == 1;
    char *stored = NULL, *made = NULL;
    abut_status status = right && H5Aread(attribute, type, &stored) >= 0 ? ABUT_OK : ABUT_ERROR_FORMAT;
    if (!status) {
        size_t length = stored ? strlen(stored) : 0;
        made = cells_allocate(1, length + 1);
        status = made ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
        if (made && stored) {
            memcpy(made, stored, length);
        }
        H5free_memory(stored);
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Aclose(attribute);
    if (!status) {
        *text = made;
    }
    return status;
}
