#include "io/scene/table_file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/c_locale.h"
#include "io/file/csv.h"
#include "io/file/file.h"
#include "io/file/grow.h"

static const size_t most_bytes = (size_t)1 << 26;

typedef struct growing {
    csv_rows rows;
    size_t numbers, lines; /* room */
    const char *what;
    scene_table *table;
    abut_error *error;
} growing;

static bool grow(growing *g) {
    scene_table *table = g->table;
    size_t needed = (size_t)table->count + 1;
    return grow_array(&table->lines, &g->lines, needed, INT32_MAX, sizeof *table->lines) &&
           grow_array(&table->numbers, &g->numbers, needed, INT32_MAX, (size_t)table->columns * sizeof *table->numbers);
}

static abut_status read_row(growing *g, csv_text row) {
    scene_table *table = g->table;
    int found = csv_count_cells(&g->rows, row);
    if (found != table->columns) {
        return abut_fail(g->error, ABUT_ERROR_FORMAT, "%s:%d: a row needs %d cells, %s, between ',', ';' or tabs, but has %d", g->rows.path,
                         (int)g->rows.line, (int)table->columns, g->what, found);
    }
    if (!grow(g)) {
        return abut_fail(g->error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its rows", g->rows.path);
    }
    double *numbers = &table->numbers[(size_t)table->count * (size_t)table->columns];
    for (int i = 0; i < found; i++) {
        csv_text cell = csv_next_cell(&g->rows, &row);
        if (!csv_read_real(cell, &numbers[i]) || !isfinite(numbers[i])) {
            return csv_fail_cell(&g->rows, i + 1, cell, "a finite number", g->error);
        }
    }
    table->lines[table->count++] = g->rows.line;
    return ABUT_OK;
}

/* The separator of the first row that is not empty. */
static char find_separator(csv_rows rows) {
    csv_text row;
    if (!csv_next_row(&rows, &row)) {
        return ',';
    }
    size_t length = (size_t)(row.end - row.begin);
    return memchr(row.begin, ';', length) ? ';' : memchr(row.begin, '\t', length) ? '\t' : ',';
}

static abut_status read_rows(growing *g) {
    csv_text row;
    abut_status status = ABUT_OK;
    g->rows.separator = find_separator(g->rows);
    for (bool first = true; status == ABUT_OK && csv_next_row(&g->rows, &row); first = false) {
        status = first && csv_is_header(&g->rows, row) ? ABUT_OK : read_row(g, row);
    }
    return status == ABUT_OK && g->table->count == 0
               ? abut_fail(g->error, ABUT_ERROR_FORMAT, "%s: the file has no rows of %s", g->rows.path, g->what)
               : status;
}

static abut_status read_file(const char *path, const char *what, scene_table *made, abut_error *error) {
    char *data = NULL;
    size_t length = 0;
    c_locale locale;
    abut_status status = file_read(path, most_bytes, &data, &length, error);
    if (status == ABUT_OK && !c_locale_enter(&locale)) {
        status = abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its rows", path);
    } else if (status == ABUT_OK) {
        growing g = {.rows = csv_make(file_label(path), data, length, ','), .what = what, .table = made, .error = error};
        status = read_rows(&g);
        c_locale_leave(&locale);
    }
    free(data);
    return status;
}

abut_status scene_table_read(const scene_reader *reader, const scene_place *place, int32_t columns, const char *what, scene_table *made) {
    *made = (scene_table){.columns = columns, .file = json_string_value(place->value)};
    char *path = file_path_beside(reader->path, made->file);
    if (!path) {
        return read_no_memory(reader);
    }
    abut_error error;
    abut_status status = read_file(path, what, made, &error);
    free(path);
    return status == ABUT_OK ? ABUT_OK : read_fail_as(reader, status, place, false, "%s", error.message);
}

abut_status scene_table_fail(const scene_reader *reader, const scene_place *place, const scene_table *table, int32_t row,
                             const char *format, ...) {
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return read_fail(reader, place, "%s:%d: %s", table->file, (int)table->lines[row], text);
}

void scene_table_release(scene_table *table) {
    free(table->numbers);
    free(table->lines);
    *table = (scene_table){.count = 0};
}
