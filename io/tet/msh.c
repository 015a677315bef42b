/*
 * Reads Gmsh's .msh files: the header and the sections. tet/msh2.c and tet/msh4.c read the sections with nodes and elements, which differ between versions 2
 * and 4. Format: Gmsh's manual, "MSH file format". In binary files the names of sections are still text, and the header holds the number one to show the byte
 * order.
 */
#include "io/tet/msh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/byte_order.h"

enum { NAME_SIZE = 64 };

bool msh_find_type(int64_t type, int32_t *nodes, bool *tetra) {
    /* Number of nodes by type number; 0 for types that are unknown or have no fixed number of nodes. */
    static const int32_t counts[] = {
        [1] = 2,    [2] = 3,    [3] = 4,     [4] = 4,     [5] = 8,     [6] = 6,     [7] = 5,     [8] = 3,    [9] = 6,    [10] = 9,
        [11] = 10,  [12] = 27,  [13] = 18,   [14] = 14,   [15] = 1,    [16] = 8,    [17] = 20,   [18] = 15,  [19] = 13,  [20] = 9,
        [21] = 10,  [22] = 12,  [23] = 15,   [24] = 15,   [25] = 21,   [26] = 4,    [27] = 5,    [28] = 6,   [29] = 20,  [30] = 35,
        [31] = 56,  [36] = 16,  [37] = 25,   [38] = 36,   [42] = 28,   [43] = 36,   [44] = 45,   [45] = 55,  [46] = 66,  [47] = 49,
        [48] = 64,  [49] = 81,  [50] = 100,  [51] = 121,  [62] = 7,    [63] = 8,    [64] = 9,    [65] = 10,  [66] = 11,  [71] = 84,
        [72] = 120, [73] = 165, [74] = 220,  [75] = 286,  [90] = 40,   [91] = 75,   [92] = 64,   [93] = 125, [94] = 216, [95] = 343,
        [96] = 512, [97] = 729, [98] = 1000, [106] = 126, [107] = 196, [108] = 288, [109] = 405, [110] = 550};
    if (type < 1 || type >= (int64_t)(sizeof counts / sizeof counts[0]) || counts[type] == 0) {
        return false;
    }
    *nodes = counts[type];
    *tetra = type == 4 || type == 11 || (type >= 29 && type <= 31) || (type >= 71 && type <= 75);
    return true;
}

cell_kind msh_kind(int64_t type) {
    /* Ranges of types, in ascending order, with the kind of each. */
    static const struct {
        unsigned char first, last;
        cell_kind kind;
    } ranges[] = {{1, 1, CELL_LINE},
                  {2, 2, CELL_TRIANGLE},
                  {3, 3, CELL_QUADRILATERAL},
                  {5, 5, CELL_HEXAHEDRON},
                  {6, 6, CELL_PRISM},
                  {7, 7, CELL_PYRAMID},
                  {8, 8, CELL_LINE},
                  {9, 9, CELL_TRIANGLE},
                  {10, 10, CELL_QUADRILATERAL},
                  {12, 12, CELL_HEXAHEDRON},
                  {13, 13, CELL_PRISM},
                  {14, 14, CELL_PYRAMID},
                  {15, 15, CELL_POINT},
                  {16, 16, CELL_QUADRILATERAL},
                  {17, 17, CELL_HEXAHEDRON},
                  {18, 18, CELL_PRISM},
                  {19, 19, CELL_PYRAMID},
                  {20, 25, CELL_TRIANGLE},
                  {26, 28, CELL_LINE},
                  {36, 38, CELL_QUADRILATERAL},
                  {42, 46, CELL_TRIANGLE},
                  {47, 51, CELL_QUADRILATERAL},
                  {62, 66, CELL_LINE},
                  {90, 91, CELL_PRISM},
                  {92, 98, CELL_HEXAHEDRON},
                  {106, 110, CELL_PRISM}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        if (type >= ranges[i].first && type <= ranges[i].last) {
            return ranges[i].kind;
        }
    }
    return CELL_OTHER;
}

/* Finds the byte order of a binary file from the integer one in its header. */
static void read_order(msh_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    if ((size_t)(cursor->end - cursor->next) < 4) {
        cursor_fail(cursor, "the file ends in its header");
        return;
    }
    cursor->big = bytes_unsigned(cursor->next, 4, true) == 1;
    if (!cursor->big && bytes_unsigned(cursor->next, 4, false) != 1) {
        cursor_fail(cursor, "the header of a binary file must hold the number 1, which shows the order of bytes");
    }
    cursor->next += 4;
}

/* Reads the header from after "$MeshFormat" to after its end; returns the version, 2 or 4. */
static int read_header(msh_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    char version[NAME_SIZE];
    (void)cursor_word(cursor, version, sizeof version);
    double number = strtod(version, NULL);
    int64_t kind = cursor_integer(cursor, 4), size = cursor_integer(cursor, 4);
    bool two = number >= 2.0 && number < 3.0, four = number == 4.1;
    if (!two && !four) {
        cursor_fail(cursor,
                    "version %s of the format is not supported; convert the file with gmsh: gmsh FILE -save -format msh41 -o OTHER.msh",
                    version);
    }
    if (kind != 0 && kind != 1) {
        cursor_fail(cursor, "the file type must be 0 (text) or 1 (binary), not %lld", (long long)kind);
    }
    if (size != 8 && (two || size != 4)) {
        cursor_fail(cursor, "numbers of %lld bytes are not supported", (long long)size);
    }
    cursor_end_line(cursor);
    if (cursor->status == ABUT_OK && kind == 1) {
        cursor->line = 0;
        reader->binary = true;
        reader->size = (size_t)size;
        read_order(reader);
    }
    return two ? 2 : 4;
}

/* "$EndNAME" must come next. */
static void end_section(tet_cursor *cursor, const char *name) {
    char word[NAME_SIZE];
    (void)cursor_word(cursor, word, sizeof word);
    if (strncmp(word, "$End", 4) != 0 || strcmp(word + 4, name) != 0) {
        cursor_fail(cursor, "'$End%s' is expected here: the counts of the section do not match its contents", name);
    }
}

/* Whether "$EndNAME" stands at a place. Only a blank or the end of the file may follow. */
static bool is_end_of(const char *at, size_t left, const char *name, size_t length) {
    return left >= 4 + length && memcmp(at, "$End", 4) == 0 && memcmp(at + 4, name, length) == 0 &&
           (left == 4 + length || (unsigned char)at[4 + length] <= ' ');
}

/* Skips to after the line "$EndNAME". In a text file a line begins with it. In a binary file it may follow the last number without a new
 * line, as fTetWild writes it. */
static void skip_section(tet_cursor *cursor, const char *name) {
    size_t length = strlen(name);
    while (cursor->next < cursor->end) {
        bool ends = is_end_of(cursor->next, (size_t)(cursor->end - cursor->next), name, length);
        const char *next = cursor->binary && !ends ? memchr(cursor->next + 1, '$', (size_t)(cursor->end - cursor->next - 1)) : NULL;
        if (ends || !cursor->binary) {
            cursor_skip_line(cursor);
        } else {
            cursor->next = next != NULL ? next : cursor->end;
        }
        if (ends) {
            return;
        }
    }
    cursor_fail(cursor, "the file ends before '$End%s'", name);
}

/* Reads a section from after its name; true when the section is known. */
static bool read_known_section(msh_reader *reader, const char *name, int version) {
    bool entities = strcmp(name, "Entities") == 0, partitioned = strcmp(name, "PartitionedEntities") == 0;
    if (strcmp(name, "Nodes") == 0) {
        (version == 2 ? msh2_read_nodes : msh4_read_nodes)(reader);
    } else if (strcmp(name, "Elements") == 0) {
        draft_end_vertices(reader->draft, &reader->cursor);
        (version == 2 ? msh2_read_elements : msh4_read_elements)(reader);
    } else if (version == 4 && (entities || partitioned)) {
        msh4_read_entities(reader, partitioned);
    } else {
        return false;
    }
    return true;
}

static void read_section(msh_reader *reader, const char *name, int version) {
    tet_cursor *cursor = &reader->cursor;
    if (strcmp(name, "ParametricNodes") == 0) {
        cursor_fail(cursor, "$ParametricNodes are not supported; write the file without Mesh.SaveParametric, or as version 4.1");
    }
    if (strcmp(name, "Nodes") == 0 && reader->draft->mapped) {
        cursor_fail(cursor, "$Nodes must come before $Elements");
    }
    cursor_end_line(cursor);
    cursor->binary = reader->binary;
    if (cursor->status != ABUT_OK) {
        return;
    }
    if (read_known_section(reader, name, version)) {
        end_section(cursor, name);
    } else {
        skip_section(cursor, name);
    }
    cursor->binary = false;
}

static void read_sections(msh_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    char word[NAME_SIZE];
    if (!cursor_word(cursor, word, sizeof word) || strcmp(word, "$MeshFormat") != 0) {
        cursor_fail(cursor, "this is not a Gmsh file of version 2 or 4: it does not begin with '$MeshFormat'");
        return;
    }
    int version = read_header(reader);
    end_section(cursor, "MeshFormat");
    while (cursor_word(cursor, word, sizeof word)) {
        if (word[0] != '$') {
            cursor_fail(cursor, "a section is expected here, '$Nodes' for example");
            return;
        }
        read_section(reader, word + 1, version);
    }
    if (cursor->next < cursor->end) {
        cursor_fail(cursor, "a section is expected here, '$Nodes' for example");
    }
}

abut_status tet_read_msh(const char *path, const char *data, size_t length, tet_draft *draft, abut_error *error) {
    msh_reader reader = {.cursor = cursor_make(path, data, length, error), .draft = draft};
    read_sections(&reader);
    free(reader.volumes);
    free(reader.groups);
    tag_map_release(&reader.volume_map);
    return reader.cursor.status;
}
