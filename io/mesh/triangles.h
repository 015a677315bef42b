#pragma once

#include "io/mesh/soup.h"
#include "io/file/nearest_name.h"

/*
 * The faces of a mesh file, or of one group of it, as one surface of triangles. The reader does not join, drop or repair faces. A polygon becomes a fan about
 * its first corner. Triangles are in the order of the file's faces. Vertices without faces are dropped.
 */

typedef struct mesh_triangles {
    abut_vec3 *vertices;
    int32_t *triangles; /* [triangle_count] of three corners */
    int32_t *groups;    /* [triangle_count] of the soup */
    int32_t vertex_count, triangle_count;
    mesh_soup soup; /* the contents of the file */
} mesh_triangles;

/*
 * Reads a file. To be released on success only. piece: NULL for all groups. scale: no component is 0; scaled vertices are checked to be finite, but stored
 * unscaled. ABUT_OK; ABUT_ERROR_FILE; ABUT_ERROR_FORMAT; ABUT_ERROR_INVALID_ARGUMENT for the scale; ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status mesh_triangles_read(const char *path, const char *piece, abut_vec3 scale, mesh_triangles *made, abut_error *error);
void mesh_triangles_release(mesh_triangles *made);

/* Offers the names of all groups that have faces. */
void mesh_triangles_offer_groups(const mesh_soup *soup, nearest_name *nearest);
