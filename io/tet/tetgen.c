/*
 * Reads TetGen's pair of files, NAME.node and NAME.ele. Format: TetGen's manual, "TetGen File Formats". The number of a node is the first column of its row, so
 * counting may begin at 0 or 1. Rows are lines. Attributes and markers that are not needed are skipped.
 */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/file.h"
#include "io/tet/draft.h"

/* The path with the other of the two endings; to be freed; NULL when there is no memory. */
static char *partner_of(const char *path, bool *node) {
    size_t length = strlen(path), ending = strrchr(path, '.') ? (size_t)(strrchr(path, '.') - path) + 1 : length;
    bool capitals = isupper((unsigned char)path[ending]);
    *node = tolower((unsigned char)path[ending]) == 'n';
    const char *other = *node ? capitals ? "ELE" : "ele" : capitals ? "NODE" : "node";
    char *partner = malloc(ending + 5);
    if (partner) {
        memcpy(partner, path, ending);
        memcpy(partner + ending, other, strlen(other) + 1);
    }
    return partner;
}

/* Reads a number that must be in this row. */
static int64_t row_integer(tet_cursor *cursor, const char *what) {
    if (cursor->status == ABUT_OK && !cursor_row_goes_on(cursor)) {
        cursor_fail(cursor, "%s is missing in this row", what);
    }
    return cursor_integer(cursor, 0);
}

/* Skips to the next row, which must exist. */
static void need_row(tet_cursor *cursor, const char *what) {
    if (!cursor_next_row(cursor)) {
        cursor_fail(cursor, "the file ends where %s is expected", what);
    }
}

static void read_nodes(tet_cursor *cursor, tet_draft *draft) {
    need_row(cursor, "the number of nodes");
    int64_t count = row_integer(cursor, "the number of nodes");
    int64_t dimension = cursor_row_goes_on(cursor) ? cursor_integer(cursor, 0) : 3;
    if (dimension != 3) {
        cursor_fail(cursor, "nodes have dimension %lld; 3 is needed", (long long)dimension);
    }
    (void)cursor_check_room(cursor, count, 4, 1, "nodes");
    for (int64_t i = 0; i < count && cursor->status == ABUT_OK; i++) {
        cursor_skip_line(cursor);
        need_row(cursor, "a node");
        int32_t line = cursor->line;
        int64_t tag = row_integer(cursor, "the number of the node");
        abut_vec3 position = cursor_vertex(cursor, 0, "node", tag);
        if (cursor->line != line) {
            cursor->line = line;
            cursor_fail(cursor, "node %lld needs three coordinates in its row", (long long)tag);
        }
        draft_add_vertex(draft, cursor, tag, position);
    }
    draft_end_vertices(draft, cursor);
}

/* The attribute after the nodes of an element; 0 when there is none, or when it is not a whole number of 32 bits. */
static int32_t read_attribute(tet_cursor *cursor) {
    double value = cursor->status == ABUT_OK && cursor_row_goes_on(cursor) ? cursor_real(cursor, 0) : 0.0;
    return value == floor(value) && fabs(value) <= INT32_MAX ? (int32_t)value : 0;
}

static void read_elements(tet_cursor *cursor, tet_draft *draft) {
    need_row(cursor, "the number of elements");
    int64_t count = row_integer(cursor, "the number of elements");
    int64_t nodes = cursor_row_goes_on(cursor) ? cursor_integer(cursor, 0) : 4;
    int64_t attributes = cursor_row_goes_on(cursor) ? cursor_integer(cursor, 0) : 0;
    if (nodes != 4 && nodes != 10) {
        cursor_fail(cursor, "elements have %lld nodes; 4 or 10 are needed", (long long)nodes);
        return;
    }
    (void)cursor_check_room(cursor, count, 1 + nodes, 1, "elements");
    for (int64_t i = 0; i < count && cursor->status == ABUT_OK; i++) {
        cursor_skip_line(cursor);
        need_row(cursor, "an element");
        tet_element element = {.tag = row_integer(cursor, "the number of the element")};
        for (int c = 0; c < nodes && cursor->status == ABUT_OK; c++) {
            int64_t node = row_integer(cursor, "a node of the element");
            if (c < 4) {
                element.corners[c] = draft_find_vertex(draft, cursor, node, "element", element.tag);
            }
        }
        element.group = attributes > 0 ? read_attribute(cursor) : 0;
        draft_add_element(draft, cursor, &element);
    }
}

abut_status tet_read_tetgen(const char *path, const char *data, size_t length, tet_draft *draft, abut_error *error) {
    bool node;
    char *partner = partner_of(path, &node), *other = NULL;
    if (!partner) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its contents", path);
    }
    size_t other_length = 0;
    abut_status status = file_read(partner, ABUT_TETFILE_MAX_BYTES, &other, &other_length, error);
    if (status == ABUT_OK) {
        tet_cursor mine = cursor_make(path, data, length, error), theirs = cursor_make(partner, other, other_length, error);
        tet_cursor *nodes = node ? &mine : &theirs, *elements = node ? &theirs : &mine;
        read_nodes(nodes, draft);
        if (nodes->status == ABUT_OK) {
            read_elements(elements, draft);
        }
        status = nodes->status != ABUT_OK ? nodes->status : elements->status;
    }
    free(other);
    free(partner);
    return status;
}
