/*
 * Reads the nodes and tetrahedra of Abaqus input files (.inp), which CalculiX and many preprocessors write too. Format: Abaqus documentation, "Keywords
 * Reference": *NODE, *ELEMENT, *PART, *INSTANCE. All other keywords are skipped with their data.
 *
 * Parts are read where they stand. An instance that moves its part is refused, and so is all that is in other files or is generated from other nodes and
 * elements: what would be read is not what Abaqus would see.
 */
#include <math.h>
#include <string.h>

#include "io/tet/abaqus_line.h"
#include "io/tet/abaqus_part.h"
#include "io/tet/abaqus_type.h"

enum { VALUE_SIZE = 128 };

typedef struct abaqus_reader {
    tet_cursor cursor;
    abaqus_keyword keyword;
    abaqus_parts parts;
} abaqus_reader;

/* Fails at the keyword that was read last. */
#define FAIL_AT_KEYWORD(reader, ...) \
    (cursor_move(&(reader)->cursor, (reader)->keyword.at, (reader)->keyword.line), cursor_fail(&(reader)->cursor, __VA_ARGS__))

static bool has_parameter(const abaqus_reader *reader, const char *name, char value[VALUE_SIZE]) {
    return abaqus_parameter(&reader->keyword, name, value, VALUE_SIZE);
}

/* The data of a keyword must be in this file. */
static void refuse_other_file(abaqus_reader *reader) {
    char value[VALUE_SIZE];
    if (has_parameter(reader, "INPUT", value)) {
        FAIL_AT_KEYWORD(reader, "the data are in another file, '%s', which is not read; put them into this file", value);
    }
}

/* Reads the number of a node or an element. */
static int32_t read_number(tet_cursor *cursor, const char *what) {
    int64_t number = cursor_integer(cursor, 0);
    if (number < 1 || number > INT32_MAX) {
        cursor_fail(cursor, "%s %lld: numbers go from 1 to %d", what, (long long)number, INT32_MAX);
        return 0;
    }
    return (int32_t)number;
}

/* Reads "number, x, y, z"; coordinates that are left out are 0. What follows, a normal, is skipped. */
static void read_node(abaqus_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    int32_t tag = read_number(cursor, "node");
    double x[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3 && abaqus_next_field(cursor); i++) {
        x[i] = *cursor->next == ',' ? 0.0 : cursor_real(cursor, 0);
        if (!isfinite(x[i])) {
            cursor_fail(cursor, "node %d is not finite", (int)tag);
        }
    }
    (void)abaqus_next_field(cursor);
    abaqus_add_node(&reader->parts, cursor, tag, abut_vec3_make(x[0], x[1], x[2]));
    cursor_skip_line(cursor);
}

static void read_nodes(abaqus_reader *reader) {
    char system[VALUE_SIZE];
    refuse_other_file(reader);
    if (has_parameter(reader, "SYSTEM", system) && system[0] != 'R' && system[0] != 'r') {
        FAIL_AT_KEYWORD(reader, "nodes in the system '%s' are not supported; write rectangular coordinates (SYSTEM=R)", system);
    }
    while (abaqus_next_data(&reader->cursor)) {
        read_node(reader);
    }
}

/* Reads "number, node, node, ...". The first four nodes are the corners. */
static void read_tetrahedron(abaqus_reader *reader, int nodes, const char *type) {
    tet_cursor *cursor = &reader->cursor;
    abaqus_element element = {.line = cursor->line, .at = cursor->next};
    element.tag = read_number(cursor, "element");
    for (int c = 0; c < nodes && cursor->status == ABUT_OK; c++) {
        if (!abaqus_next_field_or_line(cursor)) {
            cursor_fail(cursor, "element %d of type %s has %d nodes; %d are needed", (int)element.tag, type, c, nodes);
            return;
        }
        int32_t node = read_number(cursor, "node");
        element.nodes[c < 4 ? c : 3] = c < 4 ? node : element.nodes[3];
    }
    if (abaqus_next_field(cursor)) {
        cursor_fail(cursor, "element %d of type %s has more than %d nodes", (int)element.tag, type, nodes);
    }
    abaqus_add_element(&reader->parts, cursor, &element);
    cursor_skip_line(cursor);
}

/* Counts elements that are not tetrahedra: lines that do not continue another one. */
static void count_others(abaqus_reader *reader, cell_kind kind) {
    bool continued = false;
    while (abaqus_next_data(&reader->cursor)) {
        draft_skip_cells(reader->parts.draft, kind, continued ? 0 : 1);
        continued = abaqus_line_goes_on(&reader->cursor);
        cursor_skip_line(&reader->cursor);
    }
}

static void read_elements(abaqus_reader *reader) {
    char type[VALUE_SIZE];
    refuse_other_file(reader);
    if (!has_parameter(reader, "TYPE", type) || type[0] == '\0') {
        FAIL_AT_KEYWORD(reader, "*ELEMENT needs a type, TYPE=C3D4 for example");
    }
    int nodes = abaqus_tetra_nodes(type);
    if (nodes == 0) {
        count_others(reader, abaqus_kind(type));
        return;
    }
    while (abaqus_next_data(&reader->cursor)) {
        read_tetrahedron(reader, nodes, type);
    }
}

/* True when the numbers of this data line from `first` on are all 0. */
static bool is_zero_line(tet_cursor *cursor, int first) {
    bool zero = true, more = true;
    for (int i = 0; more && cursor->status == ABUT_OK; i++) {
        double value = *cursor->next == ',' ? 0.0 : cursor_real(cursor, 0);
        zero = zero && (i < first || value == 0.0);
        more = abaqus_next_field(cursor);
    }
    cursor_skip_line(cursor);
    return zero;
}

/* An instance may have a line with a translation, and one with two points of an axis and an angle. Both must move nothing. */
static void begin_instance(abaqus_reader *reader) {
    enum { ANGLE = 6 };
    tet_cursor *cursor = &reader->cursor;
    char name[VALUE_SIZE];
    if (has_parameter(reader, "LIBRARY", name)) {
        FAIL_AT_KEYWORD(reader, "an instance from another analysis, '%s', which is not read", name);
    }
    bool still = !abaqus_next_data(cursor) || is_zero_line(cursor, 0);
    still = (!abaqus_next_data(cursor) || is_zero_line(cursor, ANGLE)) && still;
    if (!still) {
        (void)has_parameter(reader, "NAME", name);
        FAIL_AT_KEYWORD(reader, "the instance '%s' moves its part; parts are read where they stand, so write the mesh in its final place",
                        name);
    }
}

/* Keywords that make nodes or elements which this reader would miss. */
static bool makes_unseen_nodes(const abaqus_keyword *keyword) {
    static const char *const names[] = {"INCLUDE", "NGEN", "NFILL", "NCOPY", "NMAP", "ELGEN", "ELCOPY", "SYSTEM"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (abaqus_is(keyword, names[i])) {
            return true;
        }
    }
    return false;
}

static bool bounds_part(const abaqus_keyword *keyword) {
    static const char *const names[] = {"PART", "END PART", "ASSEMBLY", "END ASSEMBLY", "INSTANCE", "END INSTANCE"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (abaqus_is(keyword, names[i])) {
            return true;
        }
    }
    return false;
}

static void refuse_unseen_nodes(abaqus_reader *reader) {
    char file[VALUE_SIZE];
    if (abaqus_is(&reader->keyword, "INCLUDE")) {
        (void)has_parameter(reader, "INPUT", file);
        FAIL_AT_KEYWORD(reader, "*INCLUDE: the file '%s' is not read; put its lines into this file", file);
    } else {
        FAIL_AT_KEYWORD(reader, "*%.*s is not supported: it makes or moves nodes or elements; write them out with *NODE and *ELEMENT",
                        (int)strcspn(reader->keyword.text, ","), reader->keyword.text);
    }
}

static void read_keyword(abaqus_reader *reader) {
    const abaqus_keyword *keyword = &reader->keyword;
    if (bounds_part(keyword)) {
        abaqus_end_part(&reader->parts, &reader->cursor);
    }
    if (abaqus_is(keyword, "NODE")) {
        read_nodes(reader);
    } else if (abaqus_is(keyword, "ELEMENT")) {
        read_elements(reader);
    } else if (abaqus_is(keyword, "INSTANCE")) {
        begin_instance(reader);
    } else if (makes_unseen_nodes(keyword)) {
        refuse_unseen_nodes(reader);
    }
    abaqus_skip_data(&reader->cursor);
}

abut_status tet_read_abaqus(const char *path, const char *data, size_t length, tet_draft *draft, abut_error *error) {
    abaqus_reader reader = {.cursor = cursor_make(path, data, length, error), .parts = {.draft = draft}};
    reader.cursor.columns = true;
    reader.cursor.separator = ',';
    while (abaqus_next_keyword(&reader.cursor, &reader.keyword)) {
        read_keyword(&reader);
    }
    abaqus_end_parts(&reader.parts, &reader.cursor);
    abaqus_release_parts(&reader.parts);
    return reader.cursor.status;
}
