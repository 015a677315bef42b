#pragma once

#include "io/mesh/soup.h"

/*
 * Which faces of a mesh file make a piece.
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
 * Vertices at exactly equal positions become one, faces that lose their third corner by that are left out, and each group's faces are taken
 * apart where no edge connects them. In a file without faces each group's vertices are a part.
 *
 * The soup's corners are changed. False when there is no memory; parts are to be released in any case.
 */
bool mesh_split(mesh_soup *soup, mesh_parts *parts);
void mesh_parts_release(mesh_parts *parts);
