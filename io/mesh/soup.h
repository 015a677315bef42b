#pragma once

#include <abut/math.h>

#include "io/file/error.h"

/*
 * What a mesh file says, before anything is made of it: vertices, polygons, and the groups they are in. And the readers that fill it.
 */

typedef struct mesh_soup {
    abut_vec3 *vertices;
    int32_t *vertex_groups; /* the group in which each was written; matters only where a file has no faces */
    int32_t vertex_count;
    size_t vertex_capacity;

    int32_t *corners; /* of all faces in turn: indices into vertices */
    int32_t corner_count;
    size_t corner_capacity;

    int32_t *face_ends; /* one behind each face's last corner */
    int32_t *face_groups;
    int32_t face_count;
    size_t face_capacity;

    char **group_names; /* never NULL; "" for what is in no group. Names may repeat. */
    int32_t group_count;
    size_t group_capacity;
} mesh_soup;

/* All return false when there is no memory or more than 2^31 - 1 of a thing; then the soup is as it was. */

/* What follows is in a new group of that name, `length` bytes of it. */
bool soup_begin_group(mesh_soup *soup, const char *name, size_t length);
/* In the last group. */
bool soup_add_vertex(mesh_soup *soup, abut_vec3 vertex);
/* Of the next face. */
bool soup_add_corner(mesh_soup *soup, int32_t vertex);
/* The corners since the last face are a face of the last group. */
bool soup_end_face(mesh_soup *soup);
/* Faces and vertices of groups with equal names are put into the first of that name. */
bool soup_join_groups(mesh_soup *soup);
void soup_release(mesh_soup *soup);

/* First corner of a face. */
static inline int32_t soup_face_first(const mesh_soup *soup, int32_t face) { return face == 0 ? 0 : soup->face_ends[face - 1]; }

/*
 * The readers. `data` ends with a zero that is not counted; they may write into it. Numbers are read by strtod, in whose locale the decimal
 * point must be a point. On success every corner is a vertex index in range and every face has three corners or more. Messages begin with
 * "FILE:LINE: ", or with "FILE: " for files without lines.
 */
abut_status mesh_read_obj(const char *path, char *data, size_t length, mesh_soup *soup, abut_error *error);
abut_status mesh_read_stl(const char *path, char *data, size_t length, mesh_soup *soup, abut_error *error);
abut_status mesh_read_ply(const char *path, char *data, size_t length, mesh_soup *soup, abut_error *error);
abut_status mesh_read_gltf(const char *path, char *data, size_t length, mesh_soup *soup, abut_error *error);

/*
 * The contents of a mesh file, by the reader that the ending of its name asks for; to be released on success only, and then there is at
 * least one vertex. ABUT_OK; ABUT_ERROR_FILE; ABUT_ERROR_FORMAT; ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status mesh_read_file(const char *path, mesh_soup *soup, abut_error *error);

/* ABUT_ERROR_OUT_OF_MEMORY, with the path. */
abut_status mesh_no_memory(const char *path, abut_error *error);
