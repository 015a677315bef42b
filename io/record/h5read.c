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

static bool is_number(hid_t type) {
    H5T_class_t class = H5Tget_class(type);
    return class == H5T_INTEGER || class == H5T_FLOAT || class == H5T_ENUM;
}

abut_status h5_rows_open(hid_t file, const char *path, layout_cell cell, int rank, hsize_t inner0, hsize_t inner1, h5_rows *rows) {
    h5_rows made = {.memory_type = h5_memory_type(cell), .rank = rank, .inner = {inner0, inner1}};
    made.dataset = H5Dopen2(file, path, H5P_DEFAULT);
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
    hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
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
