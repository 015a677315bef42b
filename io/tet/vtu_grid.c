/*
 * Reads the points and cells of VTK XML files of unstructured grids (.vtu), as abut, ParaView and meshio write them. Format: "VTK XML Format Details", VTK
 * documentation. A file has one piece or several, each with points, cells, and data that are not read. The points and cells of all pieces are numbered from 0.
 *
 * The tags are scanned first, because appended bytes come behind all of them. Then the arrays are decoded, piece by piece.
 */
#include <stdlib.h>
#include <string.h>

#include "io/file/grow.h"
#include "io/tet/draft.h"
#include "io/tet/vtk_cell.h"
#include "io/tet/vtu_array.h"

enum { VALUE_SIZE = 64 };

typedef struct vtu_piece {
    const char *at; /* its tag, for messages */
    int32_t line;
    int64_t points, cells;
    vtu_array positions, corners, ends, types;
} vtu_piece;

typedef struct vtu_reader {
    tet_cursor cursor;
    vtu_storage storage;
    tet_draft *draft;
    vtu_piece *pieces;
    size_t count, capacity;
    int64_t cells; /* of the pieces that were read */
} vtu_reader;

static void fail_at(vtu_reader *reader, const xml_tag *tag, const char *message, const char *value) {
    cursor_move(&reader->cursor, tag->at, tag->line);
    cursor_fail(&reader->cursor, message, value);
}

/* Reads what the first tag says about all arrays. */
static void read_root(vtu_reader *reader, const xml_tag *tag) {
    char value[VALUE_SIZE];
    if (tag->closes || !xml_is(tag, "VTKFile")) {
        fail_at(reader, tag, "this is not a VTK XML file: its first tag is not '<VTKFile>'%s", "");
    } else if (!xml_attribute(tag, "type", value, sizeof value) || strcmp(value, "UnstructuredGrid") != 0) {
        fail_at(reader, tag, "a data set of the type '%s'; only 'UnstructuredGrid' has tetrahedra", value);
    }
    reader->storage.big = xml_attribute(tag, "byte_order", value, sizeof value) && strcmp(value, "BigEndian") == 0;
    bool wide = xml_attribute(tag, "header_type", value, sizeof value) && strcmp(value, "UInt64") == 0;
    reader->storage.header_size = wide ? 8 : 4;
    reader->storage.compressed = xml_attribute(tag, "compressor", value, sizeof value) && value[0] != '\0';
    if (reader->storage.compressed && strcmp(value, "vtkZLibDataCompressor") != 0) {
        fail_at(reader, tag, "the compression of '%s' is not supported; write the file with zlib, or without compression", value);
    }
}

/* Reads a count from an attribute. */
static int64_t read_count(vtu_reader *reader, const xml_tag *tag, const char *name) {
    char value[VALUE_SIZE], *end;
    (void)xml_attribute(tag, name, value, sizeof value);
    long long count = strtoll(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || count > INT32_MAX) {
        fail_at(reader, tag, "the piece needs '%s', a number below 2^31", name);
        return 0;
    }
    return count;
}

static void add_piece(vtu_reader *reader, const xml_tag *tag) {
    vtu_piece piece = {.at = tag->at, .line = tag->line};
    piece.points = read_count(reader, tag, "NumberOfPoints");
    piece.cells = read_count(reader, tag, "NumberOfCells");
    if (reader->cursor.status != ABUT_OK) {
        return;
    }
    if (!grow_array(&reader->pieces, &reader->capacity, reader->count + 1, INT32_MAX, sizeof *reader->pieces)) {
        cursor_no_memory(&reader->cursor);
        return;
    }
    reader->pieces[reader->count++] = piece;
}

/* The array of the piece that a tag declares; NULL for others. */
static vtu_array *find_array(vtu_piece *piece, const xml_tag *tag, bool in_points) {
    char name[VALUE_SIZE];
    (void)xml_attribute(tag, "Name", name, sizeof name);
    if (in_points) {
        return &piece->positions;
    }
    return strcmp(name, "connectivity") == 0 ? &piece->corners
           : strcmp(name, "offsets") == 0    ? &piece->ends
           : strcmp(name, "types") == 0      ? &piece->types
                                             : NULL;
}

static void declare_array(vtu_reader *reader, const xml_tag *tag, bool in_points) {
    vtu_array *array = reader->count > 0 ? find_array(&reader->pieces[reader->count - 1], tag, in_points) : NULL;
    char components[VALUE_SIZE];
    if (!array) {
        return;
    }
    if (array->declared) {
        fail_at(reader, tag, "an array occurs twice in a piece%s", "");
    }
    if (in_points && xml_attribute(tag, "NumberOfComponents", components, sizeof components) && strcmp(components, "3") != 0) {
        fail_at(reader, tag, "points have %s coordinates; 3 are needed", components);
    }
    *array = vtu_declare(&reader->storage, tag);
}

/* Finds the last text before the end of the file; NULL when there is none. */
static const char *find_last(const tet_cursor *cursor, const char *text) {
    size_t length = strlen(text);
    for (const char *at = cursor->end; at >= cursor->next + length; at--) {
        if (memcmp(at - length, text, length) == 0) {
            return at - length;
        }
    }
    return NULL;
}

/* Reads where the appended bytes are. Raw bytes may hold anything, also tags, so their end is looked for from the end of the file. */
static void read_appended(vtu_reader *reader, const xml_tag *tag) {
    tet_cursor *cursor = &reader->cursor;
    char encoding[VALUE_SIZE];
    (void)xml_attribute(tag, "encoding", encoding, sizeof encoding);
    reader->storage.encoded = strcmp(encoding, "base64") == 0;
    if (!reader->storage.encoded && strcmp(encoding, "raw") != 0) {
        fail_at(reader, tag, "appended data in '%s' are not supported; use raw or base64", encoding);
        return;
    }
    const char *begin = cursor->next + strspn(cursor->next, " \t\r\n"), *end = find_last(cursor, "</AppendedData>");
    const char *file_end = end ? end + strcspn(end, ">") + 1 : cursor->end;
    file_end += strspn(file_end, " \t\r\n");
    if (!end || strncmp(file_end, "</VTKFile>", 10) != 0) {
        cursor_fail(cursor, "the file ends before '</AppendedData></VTKFile>': it is not whole");
    } else if (begin >= end || *begin != '_') {
        cursor_fail(cursor, "'_' is expected before the appended data");
    } else {
        reader->storage.appended = begin + 1;
        reader->storage.appended_end = end;
    }
}

/* Scans the tags up to the appended bytes, or to the end. */
static void read_tags(vtu_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    xml_tag tag;
    bool in_points = false, in_cells = false, whole = false;
    if (!xml_next_tag(cursor, &tag)) {
        cursor_fail(cursor, "this is not a VTK XML file: it has no tags");
        return;
    }
    read_root(reader, &tag);
    while (!whole && xml_next_tag(cursor, &tag)) {
        if (xml_is(&tag, "Points")) {
            in_points = !tag.closes && !tag.empty;
        } else if (xml_is(&tag, "Cells")) {
            in_cells = !tag.closes && !tag.empty;
        } else if (xml_is(&tag, "Piece") && !tag.closes) {
            add_piece(reader, &tag);
        } else if (xml_is(&tag, "DataArray") && !tag.closes && (in_points || in_cells)) {
            declare_array(reader, &tag, in_points);
        } else if (xml_is(&tag, "AppendedData") && !tag.closes) {
            read_appended(reader, &tag);
            return;
        }
        whole = tag.closes && xml_is(&tag, "VTKFile");
    }
    if (!whole) {
        cursor_fail(cursor, "the file ends before '</VTKFile>': it is not whole");
    }
}

static abut_vec3 read_position(vtu_numbers *numbers, int64_t point) {
    tet_cursor *cursor = &numbers->cursor;
    if (numbers->real || !cursor->binary) {
        return cursor_vertex(cursor, numbers->size, "point", point);
    }
    abut_vec3 position;
    position.x = (double)cursor_integer(cursor, numbers->size);
    position.y = (double)cursor_integer(cursor, numbers->size);
    position.z = (double)cursor_integer(cursor, numbers->size);
    return position;
}

static void read_points(vtu_reader *reader, const vtu_piece *piece) {
    vtu_numbers numbers = vtu_open(&reader->storage, &piece->positions, "points");
    (void)cursor_check_room(&numbers.cursor, piece->points, 3, 3 * (int64_t)numbers.size, "points");
    for (int64_t i = 0; i < piece->points && numbers.cursor.status == ABUT_OK; i++) {
        int64_t tag = reader->draft->vertex_count;
        abut_vec3 position = read_position(&numbers, tag);
        draft_add_vertex(reader->draft, &numbers.cursor, tag, position);
    }
    vtu_close(&reader->storage, &numbers);
}

/* Reads the corners of a cell of `size` points. `first` is the first point of the piece. */
static void read_cell(vtu_reader *reader, vtu_numbers *corners, int64_t type, int64_t size, const vtu_piece *piece, int32_t first) {
    tet_cursor *cursor = &corners->cursor;
    if (!vtk_cell_is_tetra(type)) {
        cursor_skip_numbers(cursor, size, corners->size);
        draft_skip_cells(reader->draft, vtk_cell_kind(type), 1);
        return;
    }
    tet_element element = {.tag = reader->cells};
    if (!vtk_cell_has_size(type, size)) {
        cursor_fail(cursor, "cell %lld of type %lld has %lld points", (long long)element.tag, (long long)type, (long long)size);
    }
    for (int i = 0; i < 4; i++) {
        int64_t point = cursor_integer(cursor, corners->size);
        if (point < 0 || point >= piece->points) {
            cursor_fail(cursor, "cell %lld refers to point %lld, which its piece does not have", (long long)element.tag, (long long)point);
            return;
        }
        element.corners[i] = first + (int32_t)point;
    }
    cursor_skip_numbers(cursor, size - 4, corners->size);
    draft_add_element(reader->draft, cursor, &element);
}

/* Arrays of cells must hold whole numbers. */
static vtu_numbers open_whole(vtu_reader *reader, const vtu_array *array, const char *what) {
    vtu_numbers numbers = vtu_open(&reader->storage, array, what);
    if (numbers.real) {
        cursor_fail(&reader->cursor, "the %s are not of a type of whole numbers", what);
        numbers.cursor.status = reader->cursor.status;
    }
    return numbers;
}

static void pass_failure(vtu_reader *reader, const vtu_numbers *numbers) {
    reader->cursor.status = reader->cursor.status ? reader->cursor.status : numbers->cursor.status;
}

static void read_cells(vtu_reader *reader, const vtu_piece *piece, int32_t first) {
    vtu_numbers corners = open_whole(reader, &piece->corners, "connectivity");
    vtu_numbers ends = open_whole(reader, &piece->ends, "offsets");
    vtu_numbers types = open_whole(reader, &piece->types, "types");
    bool right = reader->cursor.status == ABUT_OK && cursor_check_room(&types.cursor, piece->cells, 1, (int64_t)types.size, "types");
    int64_t before = 0;
    for (int64_t c = 0; c < piece->cells && right; c++) {
        int64_t end = cursor_integer(&ends.cursor, ends.size), type = cursor_integer(&types.cursor, types.size);
        if (end < before) {
            cursor_fail(&ends.cursor, "cell %lld ends before it begins", (long long)reader->cells);
        }
        right = ends.cursor.status == ABUT_OK && types.cursor.status == ABUT_OK;
        if (right) {
            read_cell(reader, &corners, type, end - before, piece, first);
            right = corners.cursor.status == ABUT_OK;
        }
        before = end;
        reader->cells++;
    }
    /* The failure comes first: the numbers that were not read then are none. */
    pass_failure(reader, &ends);
    pass_failure(reader, &types);
    pass_failure(reader, &corners);
    vtu_close(&reader->storage, &ends);
    vtu_close(&reader->storage, &types);
    vtu_close(&reader->storage, &corners);
}

/* Empty pieces need no arrays. */
static void read_piece(vtu_reader *reader, const vtu_piece *piece) {
    cursor_move(&reader->cursor, piece->at, piece->line);
    int32_t first = reader->draft->vertex_count;
    if (piece->points > 0) {
        read_points(reader, piece);
    }
    if (piece->cells > 0 && reader->cursor.status == ABUT_OK) {
        cursor_move(&reader->cursor, piece->at, piece->line);
        read_cells(reader, piece, first);
    }
}

abut_status tet_read_vtu(const char *path, const char *data, size_t length, tet_draft *draft, abut_error *error) {
    vtu_reader reader = {.cursor = cursor_make(path, data, length, error), .draft = draft};
    reader.cursor.columns = true;
    reader.storage.cursor = &reader.cursor;
    read_tags(&reader);
    reader.storage.budget = reader.storage.compressed ? ABUT_TETFILE_MAX_BYTES : length;
    for (size_t i = 0; i < reader.count && reader.cursor.status == ABUT_OK; i++) {
        read_piece(&reader, &reader.pieces[i]);
    }
    free(reader.pieces);
    return reader.cursor.status;
}
