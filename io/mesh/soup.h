#pragma once

#include <abut/math.h>

#include "io/file/error.h"

/*
 * The contents of a mesh file before anything is made of them: vertices, polygons and groups. And the readers that fill it.
 */

typedef struct mesh_soup {
    abut_vec3 *vertices;
    int32_t *vertex_groups; /* the group of each vertex; used only when the file has no faces */
    int32_t vertex_count;
    size_t vertex_capacity;

    int32_t *corners; /* of all faces, one face after another: indices into vertices */
    int32_t corner_count;
    size_t corner_capacity;

    int32_t *face_ends; /* index after the last corner of each face */
    int32_t *face_groups;
    int32_t face_count;
    size_t face_capacity;

    char **group_names; /* never NULL; "" for vertices and faces outside of any group. Names may repeat */
    int32_t group_count;
    size_t group_capacity;
} mesh_soup;

/* These functions return false when there is no memory or a count would exceed 2^31 - 1. The soup is then unchanged. */

/* Begins a new group of that name (`length` bytes). Later vertices and faces belong to it. */
bool soup_begin_group(mesh_soup *soup, const char *name, size_t length);
/* Adds a vertex to the last group. */
bool soup_add_vertex(mesh_soup *soup, abut_vec3 vertex);
/* Adds a corner to the next face. */
bool soup_add_corner(mesh_soup *soup, int32_t vertex);
/* Ends a face of the last group: the corners since the last face. */
bool soup_end_face(mesh_soup *soup);
/* Moves faces and vertices of groups with equal names to the first group of that name. */
bool soup_join_groups(mesh_soup *soup);
void soup_release(mesh_soup *soup);

/* First corner of a face. */
static inline int32_t soup_face_first(const mesh_soup *soup, int32_t face) { return face == 0 ? 0 : soup->face_ends[face - 1]; }

/*
 * The readers. `data` ends with a zero byte that is not counted, and may be modified. strtod() reads numbers, so the locale must have a decimal point. On
 * success every corner is a vertex index in range and every face has three corners or more. Messages begin with "FILE:LINE: ", or with "FILE: " for files
 * without lines.
 */
abut_status mesh_read_obj(const char *path, char *data, size_t length, mesh_soup *soup, abut_error *error);
abut_status mesh_read_stl(const char *path, char *data, size_t length, mesh_soup *soup, abut_error *error);
abut_status mesh_read_ply(const char *path, char *data, size_t length, mesh_soup *soup, abut_error *error);
abut_status mesh_read_gltf(const char *path, char *data, size_t length, mesh_soup *soup, abut_error *error);

/*
 * Reads a mesh file with the reader for the ending of its name. *soup is to be released on success only, and then has at least one vertex. ABUT_OK;
 * ABUT_ERROR_FILE; ABUT_ERROR_FORMAT; ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status mesh_read_file(const char *path, mesh_soup *soup, abut_error *error);

/* ABUT_ERROR_OUT_OF_MEMORY, with the path. */
abut_status mesh_no_memory(const char *path, abut_error *error);
