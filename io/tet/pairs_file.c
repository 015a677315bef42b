/*
 * Reads pairs of tetrahedra from CSV files.
 */

#include "io/tet/pairs_file.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/c_locale.h"
#include "io/file/file.h"
#include "io/file/grow.h"

enum { ELEMENT_COLUMNS = 2, CORNER_COLUMNS = 24, MOST_SHOWN = 40 };

/* The rest of the file, and what was read so far. */
typedef struct reader {
    const char *path, *next, *end; /* a zero stands at the end */
    int32_t line;                  /* of the line taken last */
    int columns;                   /* number of columns of every row; 0 before the first */
    size_t capacity;               /* rows */
    abut_pairsfile *file;
    abut_error *error;
} reader;

/* A part of the file without its end of line, or of a line without blanks around it. */
typedef struct span {
    const char *begin, *end;
} span;

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static span trimmed(span s) {
    while (s.begin < s.end && is_blank(*s.begin)) {
        s.begin++;
    }
    while (s.begin < s.end && is_blank(s.end[-1])) {
        s.end--;
    }
    return s;
}

/* The text up to the separator. *rest then begins after it. *more: there was a separator. */
static span split(span *rest, char separator, bool *more) {
    const char *at = memchr(rest->begin, separator, (size_t)(rest->end - rest->begin));
    span s = {rest->begin, at ? at : rest->end};
    *more = at != NULL;
    rest->begin = at ? at + 1 : rest->end;
    return s;
}

/* The next line that is not empty. */
static bool next_line(reader *r, span *line) {
    while (r->next < r->end) {
        span rest = {r->next, r->end};
        bool more;
        *line = split(&rest, '\n', &more);
        r->next = rest.begin;
        r->line++;
        *line = split(line, '#', &more);
        *line = trimmed(*line);
        if (line->begin < line->end) {
            return true;
        }
    }
    return false;
}

static int count_columns(span line) {
    int count = 0;
    for (bool more = true; more; count++) {
        (void)split(&line, ',', &more);
    }
    return count;
}

/* True when the whole cell is a number. A comma, the end of a line, a blank, a # or the file's zero byte follows every cell, so strtoll() stops there. */
static bool read_integer(span cell, int64_t *number) {
    char *end;
    errno = 0;
    long long value = strtoll(cell.begin, &end, 10);
    *number = value;
    return cell.begin < cell.end && end == cell.end && errno == 0;
}

static bool read_real(span cell, double *number) {
    char *end;
    *number = cell.begin < cell.end ? strtod(cell.begin, &end) : 0.0;
    return cell.begin < cell.end && end == cell.end;
}

static abut_status fail_cell(const reader *r, int column, span cell, const char *what) {
    int length = cell.end - cell.begin < MOST_SHOWN ? (int)(cell.end - cell.begin) : MOST_SHOWN;
    return abut_fail(r->error, ABUT_ERROR_FORMAT, "%s:%d: column %d: '%.*s' is not %s", r->path, (int)r->line, column, length, cell.begin,
                     what);
}

/* Makes room for one more row. */
static bool grow(reader *r) {
    abut_pairsfile *file = r->file;
    size_t needed = (size_t)file->count + 1, capacity = r->capacity;
    bool lines = grow_array(&file->lines, &capacity, needed, INT32_MAX, sizeof *file->lines);
    return lines &&
           (r->columns == ELEMENT_COLUMNS ? grow_array(&file->elements, &r->capacity, needed, INT32_MAX, 2 * sizeof *file->elements)
                                          : grow_array(&file->corners, &r->capacity, needed, INT32_MAX, 8 * sizeof *file->corners));
}

static abut_status read_elements(reader *r, span line, int64_t *elements) {
    for (int i = 0; i < ELEMENT_COLUMNS; i++) {
        bool more;
        span cell = trimmed(split(&line, ',', &more));
        if (!read_integer(cell, &elements[i])) {
            return fail_cell(r, i + 1, cell, "a whole number (of an element)");
        }
    }
    return ABUT_OK;
}

static abut_status read_corners(reader *r, span line, abut_vec3 *corners) {
    double numbers[CORNER_COLUMNS];
    for (int i = 0; i < CORNER_COLUMNS; i++) {
        bool more;
        span cell = trimmed(split(&line, ',', &more));
        if (!read_real(cell, &numbers[i])) {
            return fail_cell(r, i + 1, cell, "a number");
        }
        if (!isfinite(numbers[i])) {
            return fail_cell(r, i + 1, cell, "finite");
        }
    }
    for (int i = 0; i < CORNER_COLUMNS / 3; i++) {
        corners[i] = abut_vec3_make(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
    }
    return ABUT_OK;
}

static abut_status read_row(reader *r, span line) {
    abut_pairsfile *file = r->file;
    int columns = count_columns(line);
    if (r->columns == 0 && columns != ELEMENT_COLUMNS && columns != CORNER_COLUMNS) {
        return abut_fail(
            r->error, ABUT_ERROR_FORMAT,
            "%s:%d: a row needs 2 columns (the numbers of two elements) or 24 (the corners of two tetrahedra), but this row has %d",
            r->path, (int)r->line, columns);
    }
    if (r->columns != 0 && columns != r->columns) {
        return abut_fail(r->error, ABUT_ERROR_FORMAT, "%s:%d: this row has %d columns, but the rows before it have %d", r->path,
                         (int)r->line, columns, r->columns);
    }
    r->columns = columns;
    if (!grow(r)) {
        return abut_fail(r->error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its pairs", r->path);
    }
    int32_t i = file->count;
    abut_status status = columns == ELEMENT_COLUMNS ? read_elements(r, line, &file->elements[2 * (int64_t)i])
                                                    : read_corners(r, line, &file->corners[8 * (int64_t)i]);
    file->lines[i] = r->line;
    file->count += status == ABUT_OK;
    return status;
}

/* A line of names: its first cell is not a number. */
static bool is_header(span line) {
    bool more;
    double number;
    return !read_real(trimmed(split(&line, ',', &more)), &number);
}

static abut_status read_rows(reader *r) {
    span line;
    bool may_be_header = true;
    abut_status status = ABUT_OK;
    while (status == ABUT_OK && next_line(r, &line)) {
        if (!may_be_header || !is_header(line)) {
            status = read_row(r, line);
        }
        may_be_header = false;
    }
    if (status == ABUT_OK && r->file->count == 0) {
        status = abut_fail(r->error, ABUT_ERROR_FORMAT, "%s: the file has no pairs; write rows of two element numbers or of 24 coordinates",
                           r->path);
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
    static const char mark[] = "\xef\xbb\xbf"; /* some programs write it before UTF-8 */
    bool marked = length >= 3 && memcmp(data, mark, 3) == 0;
    reader r = {
        .path = file_label(path), .next = data + (marked ? 3 : 0), .end = data + length, .file = calloc(1, sizeof *r.file), .error = error};
    c_locale locale;
    if (!r.file || !c_locale_enter(&locale)) {
        status = abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its pairs", r.path);
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
