#pragma once

#include "io/tet/cell_kind.h"
#include "io/tet/cursor.h"
#include "io/tet/read.h"
#include "io/tet/tag_map.h"

/*
 * A tetrahedral mesh while its file is read, with the numbers that the file gives to vertices and elements. And the readers that fill it.
 */

typedef struct tet_vertex {
    int64_t tag; /* must be the first member, for the map */
    abut_vec3 position;
} tet_vertex;

typedef struct tet_element {
    int64_t tag;
    int32_t corners[4]; /* indices into the vertices */
    int32_t group;      /* the group that the file's author assigned; 0: none */
    int32_t entity;     /* the geometric entity that was meshed; 0: unknown */
} tet_element;

typedef struct tet_draft {
    tet_vertex *vertices;
    int32_t vertex_count;
    size_t vertex_capacity;
    tag_map map; /* of vertices by tag; made by draft_end_vertices() */
    bool mapped;
    tet_element *elements;
    int32_t element_count;
    size_t element_capacity;
    int64_t others[CELL_KINDS]; /* cells that are not tetrahedra, by kind */
} tet_draft;

/* Both fail through the cursor when there is no memory or a limit is exceeded. */
void draft_add_vertex(tet_draft *draft, tet_cursor *cursor, int64_t tag, abut_vec3 position);
void draft_add_element(tet_draft *draft, tet_cursor *cursor, const tet_element *element);
/* Counts cells that are skipped because they are not tetrahedra. */
void draft_skip_cells(tet_draft *draft, cell_kind kind, int64_t count);

/* Ends the vertices: from now on they can be found by their tags. Fails through the cursor when two have the same tag. */
void draft_end_vertices(tet_draft *draft, tet_cursor *cursor);
/* Index of the vertex with that tag. Fails through the cursor when there is none; `what` and `element` name the element in the message. */
int32_t draft_find_vertex(const tet_draft *draft, tet_cursor *cursor, int64_t tag, const char *what, int64_t element);

/* Makes the result: the used vertices, the elements, the counts. ABUT_OK; ABUT_ERROR_FORMAT without elements, with a message that tells the
 * other cells; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status draft_finish(const tet_draft *draft, const char *path, abut_tetfile **file, abut_error *error);
void draft_release(tet_draft *draft);

/*
 * The readers. A zero byte follows the data. strtod() reads numbers, so the locale must have a decimal point. Messages begin with "FILE:LINE: " or
 * "FILE:LINE:COLUMN: ", or with "FILE: byte N: " for binary files.
 */
abut_status tet_read_msh(const char *path, const char *data, size_t length, tet_draft *draft, abut_error *error);
abut_status tet_read_vtk(const char *path, const char *data, size_t length, tet_draft *draft, abut_error *error);
abut_status tet_read_medit(const char *path, const char *data, size_t length, tet_draft *draft, abut_error *error);
abut_status tet_read_abaqus(const char *path, const char *data, size_t length, tet_draft *draft, abut_error *error);
abut_status tet_read_vtu(const char *path, const char *data, size_t length, tet_draft *draft, abut_error *error);
/* Reads the other file of the pair too. */
abut_status tet_read_tetgen(const char *path, const char *data, size_t length, tet_draft *draft, abut_error *error);
