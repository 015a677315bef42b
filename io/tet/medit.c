/*
 * Reads Medit's .mesh files of text, as Gmsh, TetGen, MMG and meshio write them. Format: P. Frey, "Medit, an interactive mesh visualization software", INRIA
 * RT-0253 (2001). A section is a keyword, a count, and rows of numbers. A # begins a comment. Vertices are counted from 1. The last number of a row is a
 * reference: for a tetrahedron it names the part. Sections that are not needed are skipped up to the next keyword.
 */
#include <strings.h>

#include "io/tet/draft.h"

enum { NAME_SIZE = 64 };

typedef struct medit_reader {
    tet_cursor cursor;
    tet_draft *draft;
    bool solid;         /* the dimension is 3 */
    bool has_vertices;  /* a section of vertices was read */
    int64_t tetrahedra; /* read so far */
} medit_reader;

/* Keywords begin with a letter. Numbers do not, except those that no file needs ("nan"). */
static bool begins_keyword(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/* Skips numbers to the next keyword, which is put into `keyword`. False at the end of the file. */
static bool find_keyword(tet_cursor *cursor, char keyword[NAME_SIZE]) {
    while (cursor_word(cursor, keyword, NAME_SIZE)) {
        if (begins_keyword(keyword[0])) {
            return true;
        }
    }
    if (cursor->next < cursor->end) {
        cursor_fail(cursor, "a zero byte in a file of text");
    }
    return false;
}

static void read_dimension(medit_reader *reader) {
    int64_t dimension = cursor_integer(&reader->cursor, 0);
    if (dimension != 3) {
        cursor_fail(&reader->cursor, "the dimension is %lld; 3 is needed", (long long)dimension);
    }
    reader->solid = true;
}

static void read_vertices(medit_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    if (!reader->solid) {
        cursor_fail(cursor, "'Dimension 3' must come before the vertices");
    }
    if (reader->has_vertices) {
        cursor_fail(cursor, "a second section of vertices");
    }
    reader->has_vertices = true;
    int64_t count = cursor_count(cursor, 0, 4, 1, "vertices");
    for (int64_t i = 1; i <= count && cursor->status == ABUT_OK; i++) {
        abut_vec3 position = cursor_vertex(cursor, 0, "vertex", i);
        (void)cursor_integer(cursor, 0);
        draft_add_vertex(reader->draft, cursor, i, position);
    }
    draft_end_vertices(reader->draft, cursor);
}

/* Reads tetrahedra of so many nodes. The first four are the corners. */
static void read_tetrahedra(medit_reader *reader, int64_t nodes) {
    tet_cursor *cursor = &reader->cursor;
    if (!reader->has_vertices) {
        cursor_fail(cursor, "the vertices must come before the tetrahedra");
    }
    int64_t count = cursor_count(cursor, 0, nodes + 1, 1, "tetrahedra");
    for (int64_t i = 0; i < count && cursor->status == ABUT_OK; i++) {
        tet_element element = {.tag = ++reader->tetrahedra};
        for (int64_t c = 0; c < nodes && cursor->status == ABUT_OK; c++) {
            int64_t node = cursor_integer(cursor, 0);
            if (c < 4) {
                element.corners[c] = draft_find_vertex(reader->draft, cursor, node, "tetrahedron", element.tag);
            }
        }
        int64_t part = cursor_integer(cursor, 0);
        element.group = part >= INT32_MIN && part <= INT32_MAX ? (int32_t)part : 0;
        draft_add_element(reader->draft, cursor, &element);
    }
}

/* Counts the cells of a section that is skipped, when its keyword is known. */
static void count_others(medit_reader *reader, const char *keyword) {
    static const struct {
        const char *name;
        int64_t numbers; /* in a row */
        cell_kind kind;
    } sections[] = {{"Edges", 3, CELL_LINE},
                    {"EdgesP2", 4, CELL_LINE},
                    {"Triangles", 4, CELL_TRIANGLE},
                    {"TrianglesP2", 7, CELL_TRIANGLE},
                    {"Quadrilaterals", 5, CELL_QUADRILATERAL},
                    {"QuadrilateralsQ2", 10, CELL_QUADRILATERAL},
                    {"Hexahedra", 9, CELL_HEXAHEDRON},
                    {"Hexaedra", 9, CELL_HEXAHEDRON},
                    {"HexahedraQ2", 28, CELL_HEXAHEDRON},
                    {"Prisms", 7, CELL_PRISM},
                    {"PrismsP2", 19, CELL_PRISM},
                    {"Pyramids", 6, CELL_PYRAMID},
                    {"PyramidsP2", 15, CELL_PYRAMID}};
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        if (strcasecmp(keyword, sections[i].name) == 0) {
            int64_t count = cursor_count(&reader->cursor, 0, sections[i].numbers, 1, "cells");
            draft_skip_cells(reader->draft, sections[i].kind, count);
        }
    }
}

static void read_section(medit_reader *reader, const char *keyword) {
    if (strcasecmp(keyword, "Dimension") == 0) {
        read_dimension(reader);
    } else if (strcasecmp(keyword, "Vertices") == 0) {
        read_vertices(reader);
    } else if (strcasecmp(keyword, "Tetrahedra") == 0) {
        read_tetrahedra(reader, 4);
    } else if (strcasecmp(keyword, "TetrahedraP2") == 0) {
        read_tetrahedra(reader, 10);
    } else {
        count_others(reader, keyword);
    }
}

static void read_header(tet_cursor *cursor) {
    char word[NAME_SIZE];
    (void)cursor_word(cursor, word, sizeof word);
    if (strcasecmp(word, "MeshVersionFormatted") != 0) {
        cursor_fail(cursor, "this is not a Medit file of text: it does not begin with 'MeshVersionFormatted'");
    }
    int64_t version = cursor_integer(cursor, 0);
    if (version < 0 || version > 4) {
        cursor_fail(cursor, "version %lld of the format is not supported; use 1 to 4", (long long)version);
    }
}

abut_status tet_read_medit(const char *path, const char *data, size_t length, tet_draft *draft, abut_error *error) {
    medit_reader reader = {.cursor = cursor_make(path, data, length, error), .draft = draft};
    reader.cursor.columns = true;
    reader.cursor.comment = '#';
    read_header(&reader.cursor);
    char keyword[NAME_SIZE];
    while (find_keyword(&reader.cursor, keyword) && strcasecmp(keyword, "End") != 0) {
        read_section(&reader, keyword);
    }
    return reader.cursor.status;
}
