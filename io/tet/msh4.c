/*
 * Geometric entities, nodes and elements of Gmsh's .msh files, version 4.1. Nodes and elements come in blocks, one for each entity. The physical groups of an
 * entity are listed with the entities.
 */
#include "io/tet/msh.h"

#include <stdlib.h>

#include "io/file/grow.h"

/* Size of tags of entities, types and similar numbers in binary files [bytes]. Tags of nodes and elements, and counts, have the size that the header gives. */
enum { INT = 4 };

static void add_volume(msh_reader *reader, int64_t tag, int32_t group) {
    if (reader->cursor.status != ABUT_OK || reader->volume_map.count > 0) {
        return;
    }
    size_t needed = (size_t)reader->volume_count + 1, capacity = reader->volume_capacity;
    if (!grow_array(&reader->volumes, &capacity, needed, INT32_MAX, sizeof *reader->volumes) ||
        !grow_array(&reader->groups, &reader->volume_capacity, needed, INT32_MAX, sizeof *reader->groups)) {
        cursor_no_memory(&reader->cursor);
        return;
    }
    reader->volumes[reader->volume_count] = tag;
    reader->groups[reader->volume_count++] = group;
}

static void read_entity(msh_reader *reader, int dimension, bool partitioned) {
    tet_cursor *cursor = &reader->cursor;
    int64_t tag = cursor_integer(cursor, INT);
    if (partitioned) {
        cursor_skip_numbers(cursor, 2, INT); /* parent entity */
        cursor_skip_numbers(cursor, cursor_count(cursor, reader->size, 1, INT, "partitions"), INT);
    }
    cursor_skip_numbers(cursor, dimension == 0 ? 3 : 6, 8); /* position or bounds */
    int64_t groups = cursor_count(cursor, reader->size, 1, INT, "physical groups");
    int64_t group = groups > 0 ? cursor_integer(cursor, INT) : 0;
    cursor_skip_numbers(cursor, groups > 0 ? groups - 1 : 0, INT);
    if (dimension > 0) {
        cursor_skip_numbers(cursor, cursor_count(cursor, reader->size, 1, INT, "bounding entities"), INT);
    }
    if (dimension == 3) {
        add_volume(reader, tag, (int32_t)group);
    }
}

void msh4_read_entities(msh_reader *reader, bool partitioned) {
    tet_cursor *cursor = &reader->cursor;
    if (partitioned) {
        cursor_skip_numbers(cursor, 1, reader->size); /* number of partitions */
        cursor_skip_numbers(cursor, 2 * cursor_count(cursor, reader->size, 2, 2 * INT, "ghost entities"), INT);
    }
    int64_t counts[4];
    for (int dimension = 0; dimension < 4; dimension++) {
        counts[dimension] = cursor_count(cursor, reader->size, 4, INT + 3 * 8, "entities");
    }
    for (int dimension = 0; dimension < 4; dimension++) {
        for (int64_t i = 0; i < counts[dimension] && cursor->status == ABUT_OK; i++) {
            read_entity(reader, dimension, partitioned);
        }
    }
}

/* Reads the beginning of $Nodes or $Elements. Returns the number of blocks; *total receives the number of things in all blocks. */
static int64_t read_head(msh_reader *reader, int64_t *total, const char *what) {
    tet_cursor *cursor = &reader->cursor;
    int64_t size = (int64_t)reader->size;
    int64_t blocks = cursor_count(cursor, reader->size, 4, 3 * INT + size, "blocks");
    *total = cursor_count(cursor, reader->size, 2, 2 * size, what);
    cursor_skip_numbers(cursor, 2, reader->size); /* the smallest and the largest tag */
    return blocks;
}

/* Reads tags, then coordinates. In parametric blocks up to three parameters follow each vertex. */
static void read_node_block(msh_reader *reader, int64_t count, int64_t parameters) {
    tet_cursor *cursor = &reader->cursor;
    int64_t size = (int64_t)reader->size;
    if (!cursor_check_room(cursor, count, 4 + parameters, size + (3 + parameters) * 8, "nodes")) {
        return;
    }
    int64_t *tags = malloc((size_t)(count > 0 ? count : 1) * sizeof *tags);
    if (!tags) {
        cursor_no_memory(cursor);
        return;
    }
    for (int64_t i = 0; i < count; i++) {
        tags[i] = cursor_integer(cursor, reader->size);
    }
    for (int64_t i = 0; i < count && cursor->status == ABUT_OK; i++) {
        draft_add_vertex(reader->draft, cursor, tags[i], cursor_vertex(cursor, 8, "node", tags[i]));
        cursor_skip_numbers(cursor, parameters, 8);
    }
    free(tags);
}

/* Reads the count of a block, which must not exceed the number of things that are left in the section. Returns 0 on a failure. */
static int64_t read_part(msh_reader *reader, int64_t left, const char *what) {
    tet_cursor *cursor = &reader->cursor;
    int64_t count = cursor_integer(cursor, reader->size);
    if (count < 0 || count > left) {
        cursor_fail(cursor, "a block has %lld %s, but only %lld are left in the section", (long long)count, what, (long long)left);
        return 0;
    }
    return count;
}

static void check_whole(tet_cursor *cursor, int64_t left, const char *what) {
    if (left > 0) {
        cursor_fail(cursor, "the blocks have %lld %s fewer than the section announces", (long long)left, what);
    }
}

void msh4_read_nodes(msh_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    int64_t left;
    int64_t blocks = read_head(reader, &left, "nodes");
    for (int64_t b = 0; b < blocks && cursor->status == ABUT_OK; b++) {
        int64_t dimension = cursor_integer(cursor, INT);
        cursor_skip_numbers(cursor, 1, INT); /* the entity */
        int64_t parametric = cursor_integer(cursor, INT), count = read_part(reader, left, "nodes");
        if (dimension < 0 || dimension > 3 || parametric < 0 || parametric > 1) {
            cursor_fail(cursor, "a block of nodes needs a dimension (0 to 3), an entity, and 0 or 1 for parametric ones");
            return;
        }
        read_node_block(reader, count, parametric * dimension);
        left -= count;
    }
    check_whole(cursor, left, "nodes");
}

/* The physical group of a volume; 0 for none. */
static int32_t find_group(const msh_reader *reader, int64_t entity) {
    int32_t index = tag_map_find(&reader->volume_map, entity);
    return index < 0 ? 0 : reader->groups[index];
}

static void read_tetrahedron(msh_reader *reader, int64_t entity, int32_t group, int32_t nodes) {
    tet_cursor *cursor = &reader->cursor;
    tet_element element = {.tag = cursor_integer(cursor, reader->size), .group = group, .entity = (int32_t)entity};
    for (int i = 0; i < 4; i++) {
        int64_t node = cursor_integer(cursor, reader->size);
        element.corners[i] = draft_find_vertex(reader->draft, cursor, node, "element", element.tag);
    }
    cursor_skip_numbers(cursor, nodes - 4, reader->size);
    draft_add_element(reader->draft, cursor, &element);
}

static void read_element_block(msh_reader *reader, int64_t entity, int64_t type, int64_t count) {
    tet_cursor *cursor = &reader->cursor;
    int32_t nodes = 0;
    bool tetra = false;
    if (!msh_find_type(type, &nodes, &tetra)) {
        cursor_fail(cursor, "unknown element type %lld", (long long)type);
    }
    if (!cursor_check_room(cursor, count, 1 + nodes, (1 + nodes) * (int64_t)reader->size, "elements")) {
        return;
    }
    if (!tetra) {
        cursor_skip_numbers(cursor, count * (1 + nodes), reader->size);
        draft_skip_cells(reader->draft, msh_kind(type), count);
        return;
    }
    int32_t group = find_group(reader, entity);
    for (int64_t i = 0; i < count && cursor->status == ABUT_OK; i++) {
        read_tetrahedron(reader, entity, group, nodes);
    }
}

void msh4_read_elements(msh_reader *reader) {
    tet_cursor *cursor = &reader->cursor;
    if (reader->volume_count > 0 && reader->volume_map.count == 0 &&
        !tag_map_make(reader->volumes, reader->volume_count, sizeof *reader->volumes, &reader->volume_map)) {
        cursor_no_memory(cursor);
    }
    int64_t left;
    int64_t blocks = read_head(reader, &left, "elements");
    for (int64_t b = 0; b < blocks && cursor->status == ABUT_OK; b++) {
        cursor_skip_numbers(cursor, 1, INT); /* the dimension, which the type implies */
        int64_t entity = cursor_integer(cursor, INT), type = cursor_integer(cursor, INT);
        int64_t count = read_part(reader, left, "elements");
        read_element_block(reader, entity, type, count);
        left -= count;
    }
    check_whole(cursor, left, "elements");
}
