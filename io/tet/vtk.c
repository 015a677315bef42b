/*
 * Reads the points and cells of an unstructured grid from legacy VTK files, text or binary (big-endian). Format: "VTK File Formats", "Simple Legacy Formats".
 * Since version 5 offsets and connectivity give the cells. Data of points and cells (POINT_DATA, CELL_DATA) come last and are not read.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "io/tet/draft.h"
#include "io/tet/vtk_cell.h"

enum { NAME_SIZE = 64, INT = 4 };

typedef struct vtk_reader {
    tet_cursor cursor;
    tet_draft *draft;
    bool binary;
    bool has_points;
    int64_t cell_count; /* -1 until there are cells */
    tet_cursor cells;   /* where the cells begin: for each cell its number of points and the points, or with offsets the points only */
    tet_cursor offsets; /* of version 5: where the second offset begins */
    size_t size;        /* size of the numbers of cells [bytes] */
    size_t offset_size; /* size of offsets; 0 without offsets */
    int64_t corner_count;
} vtk_reader;

typedef struct vtk_type {
    const char *name;
    size_t size; /* [bytes] */
    bool real;
} vtk_type;

/* Reads the name of a type of numbers. */
static vtk_type read_type(tet_cursor *cursor) {
    static const vtk_type types[] = {
        {"double", 8, true},          {"float", 4, true},          {"int", 4, false},           {"vtktypeint64", 8, false},
        {"long", 8, false},           {"vtktypeint32", 4, false},  {"vtkidtype", 4, false},     {"unsigned_int", 4, false},
        {"short", 2, false},          {"unsigned_long", 8, false}, {"char", 1, false},          {"unsigned_char", 1, false},
        {"unsigned_short", 2, false}, {"vtktypeuint64", 8, false}, {"vtktypeuint32", 4, false}, {"vtktypeint16", 2, false},
        {"vtktypeuint16", 2, false},  {"vtktypeint8", 1, false},   {"vtktypeuint8", 1, false}};
    char name[NAME_SIZE];
    (void)cursor_word(cursor, name, sizeof name);
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (strcasecmp(name, types[i].name) == 0) {
            return types[i];
        }
    }
    cursor_fail(cursor, "numbers of type '%s' are not supported", name);
    return types[0];
}

static vtk_type read_whole_type(tet_cursor *cursor) {
    vtk_type type = read_type(cursor);
    if (type.real) {
        cursor_fail(cursor, "a type of whole numbers is expected here");
    }
    return type;
}

static void read_points(vtk_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    int64_t count = cursor_integer(cursor, 0);
    vtk_type type = read_type(cursor);
    cursor_end_line(cursor);
    cursor->binary = reader->binary;
    if (reader->has_points) {
        cursor_fail(cursor, "POINTS occurs twice");
    }
    reader->has_points = true;
    (void)cursor_check_room(cursor, count, 3, 3 * (int64_t)type.size, "points");
    for (int64_t i = 0; i < count && cursor->status == ABUT_OK; i++) {
        abut_vec3 position;
        if (type.real || !reader->binary) {
            position = cursor_vertex(cursor, type.size, "point", i);
        } else {
            position.x = (double)cursor_integer(cursor, type.size);
            position.y = (double)cursor_integer(cursor, type.size);
            position.z = (double)cursor_integer(cursor, type.size);
        }
        draft_add_vertex(reader->draft, cursor, i, position);
    }
    cursor->binary = false;
}

/* Reads the head of an array of version 5, "NAME type", checks that all its numbers are there, and skips them. */
static tet_cursor read_array(vtk_reader *reader, const char *name, int64_t count, size_t *size) {
    tet_cursor *cursor = &reader->cursor;
    char word[NAME_SIZE];
    (void)cursor_word(cursor, word, sizeof word);
    if (strcasecmp(word, name) != 0) {
        cursor_fail(cursor, "'%s' is expected here", name);
    }
    *size = read_whole_type(cursor).size;
    cursor_end_line(cursor);
    cursor->binary = reader->binary;
    tet_cursor begin = *cursor;
    cursor_skip_numbers(cursor, count, *size);
    cursor->binary = false;
    return begin;
}

/* True when this is the next word, which is not taken. */
static bool sees_word(const tet_cursor *cursor, const char *expected) {
    tet_cursor ahead = *cursor;
    char word[NAME_SIZE];
    return cursor_word(&ahead, word, sizeof word) && strcasecmp(word, expected) == 0;
}

static void read_cells(vtk_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    int64_t count = cursor_integer(cursor, 0);
    reader->corner_count = cursor_integer(cursor, 0);
    cursor_end_line(cursor);
    if (reader->cell_count >= 0) {
        cursor_fail(cursor, "CELLS occurs twice");
    }
    bool offsets = sees_word(cursor, "OFFSETS");
    if (count < 0 || (offsets && count < 1) || reader->corner_count < 0) {
        cursor_fail(cursor, "counts of %lld cells and %lld numbers", (long long)count, (long long)reader->corner_count);
    }
    if (cursor->status != ABUT_OK) {
        return;
    }
    if (offsets) {
        reader->offsets = read_array(reader, "OFFSETS", count, &reader->offset_size);
        reader->cells = read_array(reader, "CONNECTIVITY", reader->corner_count, &reader->size);
        if (cursor_integer(&reader->offsets, reader->offset_size) != 0) {
            cursor_fail(cursor, "the first offset of the cells is not 0");
        }
        reader->cell_count = count - 1;
    } else {
        cursor->binary = reader->binary;
        reader->cells = *cursor;
        reader->size = INT;
        cursor_skip_numbers(cursor, reader->corner_count, INT);
        cursor->binary = false;
        reader->cell_count = count;
    }
}

/* The number of points of the next cell; *before counts the points of the cells before it. */
static int64_t read_cell_size(vtk_reader *reader, int64_t cell, int64_t *before) {
    int64_t size = -1;
    if (reader->offset_size > 0) {
        int64_t end = cursor_integer(&reader->offsets, reader->offset_size);
        size = end >= *before && end <= reader->corner_count ? end - *before : -1;
    } else if (*before < reader->corner_count) {
        size = cursor_integer(&reader->cells, reader->size);
        (*before)++;
    }
    if (size < 0 || size > reader->corner_count - *before) {
        cursor_fail(&reader->cells, "cell %lld extends beyond the numbers of the cells", (long long)cell);
        return 0;
    }
    *before += size;
    return size;
}

static void read_cell(vtk_reader *reader, int64_t cell, int64_t type, int64_t size) {
    tet_cursor *cells = &reader->cells;
    if (!vtk_cell_is_tetra(type)) {
        cursor_skip_numbers(cells, size, reader->size);
        draft_skip_cells(reader->draft, vtk_cell_kind(type), 1);
        return;
    }
    if (!vtk_cell_has_size(type, size)) {
        cursor_fail(cells, "cell %lld of type %lld has %lld points", (long long)cell, (long long)type, (long long)size);
    }
    tet_element element = {.tag = cell};
    for (int i = 0; i < 4; i++) {
        element.corners[i] = draft_find_vertex(reader->draft, cells, cursor_integer(cells, reader->size), "cell", cell);
    }
    cursor_skip_numbers(cells, size - 4, reader->size);
    draft_add_element(reader->draft, cells, &element);
}

/* Reads the types; then the cells can be read. */
static void read_types(vtk_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    int64_t count = cursor_integer(cursor, 0), before = 0;
    cursor_end_line(cursor);
    cursor->binary = reader->binary;
    if (!reader->has_points || count != reader->cell_count) {
        cursor_fail(cursor, "CELL_TYPES needs POINTS and the same number of CELLS before it");
    }
    (void)cursor_check_room(cursor, count, 1, INT, "types of cells");
    draft_end_vertices(reader->draft, cursor);
    for (int64_t i = 0; i < count && cursor->status == ABUT_OK; i++) {
        int64_t size = read_cell_size(reader, i, &before);
        int64_t type = cursor_integer(cursor, INT);
        if (cursor->status == ABUT_OK) {
            read_cell(reader, i, type, size);
            cursor->status = reader->offsets.status != ABUT_OK ? reader->offsets.status : reader->cells.status;
        }
    }
    cursor->binary = false;
}

/* Skips "NAME components tuples type" and its numbers. */
static void skip_field_array(vtk_reader *reader, const char *name) {
    tet_cursor *cursor = &reader->cursor;
    int64_t components = cursor_integer(cursor, 0), tuples = cursor_integer(cursor, 0);
    if (sees_word(cursor, "string") || sees_word(cursor, "bit")) {
        cursor_fail(cursor, "the field '%s' does not hold numbers and cannot be skipped", name);
    }
    vtk_type type = read_type(cursor);
    cursor_end_line(cursor);
    cursor->binary = reader->binary;
    if (components < 0 || tuples < 0 || (components > 0 && tuples > INT64_MAX / components)) {
        cursor_fail(cursor, "the field '%s' has impossible counts", name);
    }
    if (cursor->status == ABUT_OK) {
        cursor_skip_numbers(cursor, components * tuples, type.size);
    }
    cursor->binary = false;
}

/* Skips to after the empty line that ends it. */
static void skip_metadata(vtk_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    cursor_skip_line(cursor);
    while (cursor->next < cursor->end && *cursor->next != '\n' && *cursor->next != '\r') {
        cursor_skip_line(cursor);
    }
}

/* Skips data of the whole grid: "FIELD NAME count" and its arrays. */
static void skip_field(vtk_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    char word[NAME_SIZE];
    (void)cursor_word(cursor, word, sizeof word);
    int64_t count = cursor_count(cursor, 0, 4, 1, "arrays");
    for (int64_t i = 0; i < count && cursor->status == ABUT_OK;) {
        if (!cursor_word(cursor, word, sizeof word)) {
            cursor_fail(cursor, "the file ends in a FIELD");
        } else if (strcasecmp(word, "METADATA") == 0) {
            skip_metadata(reader);
        } else {
            skip_field_array(reader, word);
            i++;
        }
    }
}

/* Reads one part of the grid, from after its keyword; false when the rest is not needed. */
static bool read_part(vtk_reader *reader, const char *keyword) {
    if (strcasecmp(keyword, "POINTS") == 0) {
        read_points(reader);
    } else if (strcasecmp(keyword, "CELLS") == 0) {
        read_cells(reader);
    } else if (strcasecmp(keyword, "CELL_TYPES") == 0) {
        read_types(reader);
        return false;
    } else if (strcasecmp(keyword, "FIELD") == 0) {
        skip_field(reader);
    } else if (strcasecmp(keyword, "METADATA") == 0) {
        skip_metadata(reader);
    } else if (strcasecmp(keyword, "POINT_DATA") == 0 || strcasecmp(keyword, "CELL_DATA") == 0) {
        return false;
    } else {
        cursor_fail(&reader->cursor, "unknown keyword '%s'; POINTS, CELLS or CELL_TYPES is expected here", keyword);
    }
    return reader->cursor.status == ABUT_OK;
}

/* Reads the three lines of the header (version, title, text or binary) and the kind of data set. */
static void read_header(vtk_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    char word[NAME_SIZE];
    int major, minor;
    static const char first[] = "# vtk DataFile Version ";
    if (strncmp(cursor->next, first, sizeof first - 1) != 0 || sscanf(cursor->next + sizeof first - 1, "%3d.%3d", &major, &minor) != 2) {
        cursor_fail(cursor, "this is not a legacy VTK file: it does not begin with '%s'", first);
    } else if (major < 2 || major > 5) {
        cursor_fail(cursor, "version %d.%d of the format is not supported; use 2.0 to 5.1", major, minor);
    }
    cursor_skip_line(cursor);
    cursor_skip_line(cursor);
    (void)cursor_word(cursor, word, sizeof word);
    reader->binary = strcasecmp(word, "BINARY") == 0;
    if (!reader->binary && strcasecmp(word, "ASCII") != 0) {
        cursor_fail(cursor, "ASCII or BINARY is expected here");
    }
    (void)cursor_word(cursor, word, sizeof word);
    bool dataset = strcasecmp(word, "DATASET") == 0;
    (void)cursor_word(cursor, word, sizeof word);
    if (!dataset || strcasecmp(word, "UNSTRUCTURED_GRID") != 0) {
        cursor_fail(cursor, "'DATASET UNSTRUCTURED_GRID' is expected here; only that kind has tetrahedra");
    }
    cursor->line = reader->binary ? 0 : cursor->line;
    cursor->big = true;
}

abut_status tet_read_vtk(const char *path, const char *data, size_t length, tet_draft *draft, abut_error *error) {
    vtk_reader reader = {.cursor = cursor_make(path, data, length, error), .draft = draft, .cell_count = -1};
    read_header(&reader);
    char keyword[NAME_SIZE];
    bool more = true;
    while (more && cursor_word(&reader.cursor, keyword, sizeof keyword)) {
        more = read_part(&reader, keyword);
    }
    if (!draft->mapped) {
        cursor_fail(&reader.cursor, "POINTS, CELLS and CELL_TYPES are needed, but the file lacks one of them");
    }
    return reader.cursor.status;
}
