/*
 * Collects the nodes and tetrahedra of each part, and puts them into the draft of the file.
 */
#include "io/tet/abaqus_part.h"

#include <stdlib.h>

#include "io/file/grow.h"

void abaqus_add_node(abaqus_parts *parts, tet_cursor *cursor, int64_t tag, abut_vec3 position) {
    draft_add_vertex(parts->draft, cursor, tag, position);
}

void abaqus_add_element(abaqus_parts *parts, tet_cursor *cursor, const abaqus_element *element) {
    if (cursor->status != ABUT_OK) {
        return;
    }
    if (!grow_array(&parts->elements, &parts->capacity, parts->count + 1, INT32_MAX, sizeof *parts->elements)) {
        cursor_no_memory(cursor);
        return;
    }
    parts->elements[parts->count++] = *element;
}

/* Puts an element into the draft. Its message names the place of the element. */
static void place_element(abaqus_parts *parts, tet_cursor *cursor, const tag_map *map, const abaqus_element *element) {
    tet_element made = {.tag = parts->element_shift + element->tag, .entity = parts->parts};
    for (int c = 0; c < 4; c++) {
        int32_t vertex = tag_map_find(map, element->nodes[c]);
        if (vertex < 0) {
            cursor_move(cursor, element->at, element->line);
            cursor_fail(cursor, "element %d refers to node %d, which does not exist", (int)element->tag, (int)element->nodes[c]);
            return;
        }
        made.corners[c] = parts->first_vertex + vertex;
    }
    draft_add_element(parts->draft, cursor, &made);
}

static void place_elements(abaqus_parts *parts, tet_cursor *cursor) {
    tet_draft *draft = parts->draft;
    int32_t count = draft->vertex_count - parts->first_vertex;
    const tet_vertex *vertices = count > 0 ? draft->vertices + parts->first_vertex : NULL;
    tag_map map;
    int64_t tag;
    if (!tag_map_make(vertices, count, sizeof *vertices, &map)) {
        cursor_no_memory(cursor);
        return;
    }
    if (tag_map_find_twice(&map, &tag)) {
        cursor_fail(cursor, "two nodes before this line have the number %lld", (long long)tag);
    }
    parts->parts += parts->count > 0;
    for (size_t e = 0; e < parts->count && cursor->status == ABUT_OK; e++) {
        place_element(parts, cursor, &map, &parts->elements[e]);
    }
    tag_map_release(&map);
}

/* Makes the numbers of the nodes unique in the file, and begins the next part behind them. */
static void shift_numbers(abaqus_parts *parts) {
    tet_draft *draft = parts->draft;
    int64_t node = parts->node_shift, element = parts->element_shift;
    for (int32_t v = parts->first_vertex; v < draft->vertex_count; v++) {
        draft->vertices[v].tag += parts->node_shift;
        node = draft->vertices[v].tag > node ? draft->vertices[v].tag : node;
    }
    for (size_t e = 0; e < parts->count; e++) {
        int64_t tag = parts->element_shift + parts->elements[e].tag;
        element = tag > element ? tag : element;
    }
    parts->node_shift = node;
    parts->element_shift = element;
    parts->first_vertex = draft->vertex_count;
    parts->count = 0;
}

void abaqus_end_part(abaqus_parts *parts, tet_cursor *cursor) {
    if (cursor->status == ABUT_OK && (parts->draft->vertex_count > parts->first_vertex || parts->count > 0)) {
        place_elements(parts, cursor);
        shift_numbers(parts);
    }
}

void abaqus_end_parts(abaqus_parts *parts, tet_cursor *cursor) {
    abaqus_end_part(parts, cursor);
    for (int32_t e = 0; parts->parts == 1 && e < parts->draft->element_count; e++) {
        parts->draft->elements[e].entity = 0;
    }
}

void abaqus_release_parts(abaqus_parts *parts) { free(parts->elements); }
