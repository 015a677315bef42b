#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Kinds of the cells that a file has beside tetrahedra. They are counted, so that a file without tetrahedra can be explained.
 */
typedef enum cell_kind {
    CELL_POINT,
    CELL_LINE,
    CELL_TRIANGLE,
    CELL_QUADRILATERAL,
    CELL_POLYGON,
    CELL_HEXAHEDRON,
    CELL_PRISM,
    CELL_PYRAMID,
    CELL_POLYHEDRON,
    CELL_OTHER,
    CELL_KINDS /* how many kinds there are */
} cell_kind;

/* Counts[CELL_KINDS] in words: "12 triangles and 4 hexahedra", or "" when all are 0. Text that does not fit into `size` is cut. Returns text. */
const char *cell_kinds_list(const int64_t counts[CELL_KINDS], char *text, size_t size);
