/*
 * Nodes and elements of Gmsh's .msh files, versions 2.0 to 2.2. In binary files the count of a section is a line of text, and its contents are binary. Elements
 * come in blocks of one type.
 */
#include "io/tet/msh.h"

/* Size of all numbers except coordinates, in binary files [bytes]. */
enum { INT = 4 };

/* Reads a count, which is text in binary files too, where each thing takes `bytes`. */
static int64_t read_count(msh_reader *reader, int64_t numbers, int64_t bytes, const char *what) {
    tet_cursor *cursor = &reader->cursor;
    cursor->binary = false;
    int64_t count = cursor_integer(cursor, INT);
    cursor_end_line(cursor);
    cursor->binary = reader->binary;
    return cursor_check_room(cursor, count, numbers, bytes, what) ? count : 0;
}

void msh2_read_nodes(msh_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    int64_t count = read_count(reader, 4, INT + 3 * 8, "nodes");
    for (int64_t i = 0; i < count && cursor->status == ABUT_OK; i++) {
        int64_t tag = cursor_integer(cursor, INT);
        draft_add_vertex(reader->draft, cursor, tag, cursor_vertex(cursor, 8, "node", tag));
    }
}

/* The numbers before the nodes of an element or of a block of elements. */
typedef struct element_head {
    int32_t nodes;
    bool tetra;
    int64_t type, tags;
} element_head;

static element_head check_head(msh_reader *reader, int64_t type, int64_t tags) {
    element_head head = {.type = type, .tags = tags};
    if (!msh_find_type(type, &head.nodes, &head.tetra)) {
        cursor_fail(&reader->cursor, "unknown element type %lld", (long long)type);
    }
    (void)cursor_check_room(&reader->cursor, tags, 1, INT, "tags of an element");
    return head;
}

/* Reads tags and nodes of one element. The first tag is the physical group, the second the geometric entity; others are partitions. */
static void read_element(msh_reader *reader, int64_t number, const element_head *head) {
    tet_cursor *cursor = &reader->cursor;
    tet_element element = {.tag = number};
    for (int64_t i = 0; i < head->tags && cursor->status == ABUT_OK; i++) {
        int64_t tag = cursor_integer(cursor, INT);
        element.group = i == 0 ? (int32_t)tag : element.group;
        element.entity = i == 1 ? (int32_t)tag : element.entity;
    }
    for (int32_t i = 0; i < head->nodes && cursor->status == ABUT_OK; i++) {
        int64_t node = cursor_integer(cursor, INT);
        if (i < 4 && head->tetra) {
            element.corners[i] = draft_find_vertex(reader->draft, cursor, node, "element", number);
        }
    }
    if (head->tetra) {
        draft_add_element(reader->draft, cursor, &element);
    } else {
        draft_skip_cells(reader->draft, msh_kind(head->type), 1);
    }
}

/* Binary files: reads elements of one type with the same number of tags; returns their number. */
static int64_t read_block(msh_reader *reader, int64_t left) {
    tet_cursor *cursor = &reader->cursor;
    int64_t type = cursor_integer(cursor, INT), count = cursor_integer(cursor, INT), tags = cursor_integer(cursor, INT);
    element_head head = check_head(reader, type, tags);
    if (cursor->status == ABUT_OK && (count < 1 || count > left)) {
        cursor_fail(cursor, "a block has %lld elements, but only %lld are left in the section", (long long)count, (long long)left);
    }
    for (int64_t i = 0; i < count && cursor->status == ABUT_OK; i++) {
        read_element(reader, cursor_integer(cursor, INT), &head);
    }
    return count;
}

void msh2_read_elements(msh_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    int64_t count = read_count(reader, 4, 2 * INT, "elements");
    for (int64_t done = 0; done < count && cursor->status == ABUT_OK;) {
        if (reader->binary) {
            done += read_block(reader, count - done);
            continue;
        }
        int64_t number = cursor_integer(cursor, INT), type = cursor_integer(cursor, INT), tags = cursor_integer(cursor, INT);
        element_head head = check_head(reader, type, tags);
        read_element(reader, number, &head);
        done++;
    }
}
