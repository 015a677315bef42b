#pragma once

#include "io/mesh/soup.h"

/*
 * Splits the faces of a mesh file into pieces.
 */

/* One piece: members first to first + count - 1. */
typedef struct mesh_part {
    int32_t group;
    int32_t first, count;
} mesh_part;

typedef struct mesh_parts {
    mesh_part *parts; /* in the order of their first members */
    int32_t count;
    int32_t *members; /* faces; or vertices, when the file has no face */
    bool points;      /* members are vertices */
} mesh_parts;

/*
 * Merges vertices at exactly equal positions, drops faces that then have fewer than three corners, and splits each group into parts that edges connect. In a
 * file without faces the vertices of each group are a part.
 *
 * The corners of the soup are changed. False when there is no memory. `parts` must be released in every case.
 */
bool mesh_split(mesh_soup *soup, mesh_parts *parts);
void mesh_parts_release(mesh_parts *parts);
