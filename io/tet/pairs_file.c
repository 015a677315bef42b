/*
 * Reads pairs of tetrahedra from CSV files.
 */

#include "io/tet/pairs_file.h"

#include <math.h>
#include <stdlib.h>

#include "io/file/c_locale.h"
#include "io/file/csv.h"
#include "io/file/file.h"
#include "io/file/grow.h"

enum { ELEMENT_COLUMNS = 2, CORNER_COLUMNS = 24 };

typedef struct reader {
    csv_rows rows;
    int columns;     /* number of columns of every row; 0 before the first */
    size_t capacity; /* rows */
    abut_pairsfile *file;
    abut_error *error;
} reader;

/* Makes room for one more row. */
static bool grow(reader *r) {
    abut_pairsfile *file = r->file;
    size_t needed = (size_t)file->count + 1, capacity = r->capacity;
    bool lines = grow_array(&file->lines, &capacity, needed, INT32_MAX, sizeof *file->lines);
    return lines &&
           (r->columns == ELEMENT_COLUMNS ? grow_array(&file->elements, &r->capacity, needed, INT32_MAX, 2 * sizeof *file->elements)
                                          : grow_array(&file->corners, &r->capacity, needed, INT32_MAX, 8 * sizeof *file->corners));
}

static abut_status read_elements(reader *r, csv_text line, int64_t *elements) {
    for (int i = 0; i < ELEMENT_COLUMNS; i++) {
        csv_text cell = csv_next_cell(&r->rows, &line);
        if (!csv_read_integer(cell, &elements[i])) {
            return csv_fail_cell(&r->rows, i + 1, cell, "a whole number (of an element)", r->error);
        }
    }
    return ABUT_OK;
}

static abut_status read_corners(reader *r, csv_text line, abut_vec3 *corners) {
    double numbers[CORNER_COLUMNS];
    for (int i = 0; i < CORNER_COLUMNS; i++) {
        csv_text cell = csv_next_cell(&r->rows, &line);
        if (!csv_read_real(cell, &numbers[i])) {
            return csv_fail_cell(&r->rows, i + 1, cell, "a number", r->error);
        }
        if (!isfinite(numbers[i])) {
            return csv_fail_cell(&r->rows, i + 1, cell, "finite", r->error);
        }
    }
    for (int i = 0; i < CORNER_COLUMNS / 3; i++) {
        corners[i] = abut_vec3_make(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
    }
    return ABUT_OK;
}

static abut_status read_row(reader *r, csv_text line) {
    abut_pairsfile *file = r->file;
    int columns = csv_count_cells(&r->rows, line);
    if (r->columns == 0 && columns != ELEMENT_COLUMNS && columns != CORNER_COLUMNS) {
        return abut_fail(
            r->error, ABUT_ERROR_FORMAT,
            "%s:%d: a row needs 2 columns (the numbers of two elements) or 24 (the corners of two tetrahedra), but this row has %d",
            r->rows.path, (int)r->rows.line, columns);
    }
    if (r->columns != 0 && columns != r->columns) {
        return abut_fail(r->error, ABUT_ERROR_FORMAT, "%s:%d: this row has %d columns, but the rows before it have %d", r->rows.path,
                         (int)r->rows.line, columns, r->columns);
    }
    r->columns = columns;
    if (!grow(r)) {
        return abut_fail(r->error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its pairs", r->rows.path);
    }
    int32_t i = file->count;
    abut_status status = columns == ELEMENT_COLUMNS ? read_elements(r, line, &file->elements[2 * (int64_t)i])
                                                    : read_corners(r, line, &file->corners[8 * (int64_t)i]);
    file->lines[i] = r->rows.line;
    file->count += status == ABUT_OK;
    return status;
}

static abut_status read_rows(reader *r) {
    csv_text line;
    bool may_be_header = true;
    abut_status status = ABUT_OK;
    while (status == ABUT_OK && csv_next_row(&r->rows, &line)) {
        if (!may_be_header || !csv_is_header(&r->rows, line)) {
            status = read_row(r, line);
        }
        may_be_header = false;
    }
    if (status == ABUT_OK && r->file->count == 0) {
        status = abut_fail(r->error, ABUT_ERROR_FORMAT, "%s: the file has no pairs; write rows of two element numbers or of 24 coordinates",
                           r->rows.path);
    }
    return status;
}

abut_status abut_pairsfile_load(const char *path, abut_pairsfile **file, abut_error *error) {
    if (!path || !file) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "a path and a place for the pairs are needed");
    }
    char *data = NULL;
    size_t length = 0;
    abut_status status = file_read(path, ABUT_PAIRSFILE_MAX_BYTES, &data, &length, error);
    if (status) {
        return status;
    }
    reader r = {.rows = csv_make(file_label(path), data, length, ','), .file = calloc(1, sizeof *r.file), .error = error};
    c_locale locale;
    if (!r.file || !c_locale_enter(&locale)) {
        status = abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its pairs", r.rows.path);
    } else {
        status = read_rows(&r);
        c_locale_leave(&locale);
    }
    free(data);
    if (status) {
        abut_pairsfile_destroy(r.file);
        return status;
    }
    *file = r.file;
    return ABUT_OK;
}

void abut_pairsfile_destroy(abut_pairsfile *file) {
    if (file) {
        free(file->elements);
        free(file->corners);
        free(file->lines);
        free(file);
    }
}
