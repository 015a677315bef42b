#include "io/file/csv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SHOWN = 40 };

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

static csv_text trimmed(csv_text s) {
    while (s.begin < s.end && is_blank(*s.begin)) {
        s.begin++;
    }
    while (s.begin < s.end && is_blank(s.end[-1])) {
        s.end--;
    }
    return s;
}

/* The text up to the separator. *rest then begins after it. *more: there was a separator. */
static csv_text split(csv_text *rest, char separator, bool *more) {
    const char *at = memchr(rest->begin, separator, (size_t)(rest->end - rest->begin));
    csv_text s = {rest->begin, at ? at : rest->end};
    *more = at != NULL;
    rest->begin = at ? at + 1 : rest->end;
    return s;
}

csv_rows csv_make(const char *path, const char *data, size_t length, char separator) {
    static const char mark[] = "\xef\xbb\xbf";
    bool marked = length >= 3 && memcmp(data, mark, 3) == 0;
    return (csv_rows){.path = path, .rest = {data + (marked ? 3 : 0), data + length}, .separator = separator};
}

bool csv_next_row(csv_rows *rows, csv_text *row) {
    while (rows->rest.begin < rows->rest.end) {
        bool more;
        csv_text line = split(&rows->rest, '\n', &more);
        rows->line++;
        *row = trimmed(split(&line, '#', &more));
        if (row->begin < row->end) {
            return true;
        }
    }
    return false;
}

int csv_count_cells(const csv_rows *rows, csv_text row) {
    int count = 0;
    for (bool more = true; more; count++) {
        (void)split(&row, rows->separator, &more);
    }
    return count;
}

csv_text csv_next_cell(const csv_rows *rows, csv_text *row) {
    bool more;
    return trimmed(split(row, rows->separator, &more));
}

/* A separator, the end of a line, a blank, a # or the file's zero byte follows every cell, so the functions that read numbers stop there. */
bool csv_read_integer(csv_text cell, int64_t *number) {
    char *end;
    errno = 0;
    long long value = strtoll(cell.begin, &end, 10);
    *number = value;
    return cell.begin < cell.end && end == cell.end && errno == 0;
}

bool csv_read_real(csv_text cell, double *number) {
    char *end;
    *number = cell.begin < cell.end ? strtod(cell.begin, &end) : 0.0;
    return cell.begin < cell.end && end == cell.end;
}

bool csv_is_header(const csv_rows *rows, csv_text row) {
    double number;
    return !csv_read_real(csv_next_cell(rows, &row), &number);
}

abut_status csv_fail_cell(const csv_rows *rows, int column, csv_text cell, const char *what, abut_error *error) {
    int length = cell.end - cell.begin < MOST_SHOWN ? (int)(cell.end - cell.begin) : MOST_SHOWN;
    return abut_fail(error, ABUT_ERROR_FORMAT, "%s:%d: column %d: '%.*s' is not %s", rows->path, (int)rows->line, column, length,
                     cell.begin, what);
}
