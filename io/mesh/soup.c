/*
 * Arrays that grow while a mesh file is read.
 */
#include "io/mesh/soup.h"

#include <stdlib.h>
#include <string.h>

#include "io/file/grow.h"

/* Counts of a soup are 32-bit integers. */
static bool room_for_one(void *array, int32_t count, size_t *capacity, size_t size) {
    return grow_array(array, capacity, (size_t)count + 1, INT32_MAX, size);
}

bool soup_begin_group(mesh_soup *soup, const char *name, size_t length) {
    if (!room_for_one(&soup->group_names, soup->group_count, &soup->group_capacity, sizeof *soup->group_names)) {
        return false;
    }
    char *copy = malloc(length + 1);
    if (!copy) {
        return false;
    }
    memcpy(copy, name, length);
    copy[length] = '\0';
    soup->group_names[soup->group_count++] = copy;
    return true;
}

/* A file may begin without a group. */
static bool last_group(mesh_soup *soup, int32_t *group) {
    if (soup->group_count == 0 && !soup_begin_group(soup, "", 0)) {
        return false;
    }
    *group = soup->group_count - 1;
    return true;
}

bool soup_add_vertex(mesh_soup *soup, abut_vec3 vertex) {
    int32_t group;
    size_t capacity = soup->vertex_capacity;
    if (!last_group(soup, &group) || !room_for_one(&soup->vertices, soup->vertex_count, &capacity, sizeof *soup->vertices) ||
        !room_for_one(&soup->vertex_groups, soup->vertex_count, &soup->vertex_capacity, sizeof *soup->vertex_groups)) {
        return false;
    }
    soup->vertices[soup->vertex_count] = vertex;
    soup->vertex_groups[soup->vertex_count++] = group;
    return true;
}

bool soup_add_corner(mesh_soup *soup, int32_t vertex) {
    if (!room_for_one(&soup->corners, soup->corner_count, &soup->corner_capacity, sizeof *soup->corners)) {
        return false;
    }
    soup->corners[soup->corner_count++] = vertex;
    return true;
}

bool soup_end_face(mesh_soup *soup) {
    int32_t group;
    size_t capacity = soup->face_capacity;
    if (!last_group(soup, &group) || !room_for_one(&soup->face_ends, soup->face_count, &capacity, sizeof *soup->face_ends) ||
        !room_for_one(&soup->face_groups, soup->face_count, &soup->face_capacity, sizeof *soup->face_groups)) {
        return false;
    }
    soup->face_ends[soup->face_count] = soup->corner_count;
    soup->face_groups[soup->face_count++] = group;
    return true;
}

typedef struct named_group {
    const char *name;
    int32_t index;
} named_group;

static int by_name(const void *a, const void *b) {
    const named_group *first = a, *second = b;
    int order = strcmp(first->name, second->name);
    return order != 0 ? order : (first->index > second->index) - (first->index < second->index);
}

bool soup_join_groups(mesh_soup *soup) {
    size_t count = (size_t)soup->group_count;
    named_group *sorted = calloc(count + 1, sizeof *sorted);
    int32_t *first = calloc(count + 1, sizeof *first); /* first group of the same name */
    if (!sorted || !first) {
        free(sorted);
        free(first);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        sorted[i] = (named_group){soup->group_names[i], (int32_t)i};
    }
    qsort(sorted, count, sizeof *sorted, by_name);
    for (size_t i = 0; i < count; i++) {
        bool same = i > 0 && strcmp(sorted[i].name, sorted[i - 1].name) == 0;
        first[sorted[i].index] = same ? first[sorted[i - 1].index] : sorted[i].index;
    }
    for (int32_t f = 0; f < soup->face_count; f++) {
        soup->face_groups[f] = first[soup->face_groups[f]];
    }
    for (int32_t v = 0; v < soup->vertex_count; v++) {
        soup->vertex_groups[v] = first[soup->vertex_groups[v]];
    }
    free(sorted);
    free(first);
    return true;
}

void soup_release(mesh_soup *soup) {
    for (int32_t i = 0; i < soup->group_count; i++) {
        free(soup->group_names[i]);
    }
    free(soup->vertices);
    free(soup->vertex_groups);
    free(soup->corners);
    free(soup->face_ends);
    free(soup->face_groups);
    free(soup->group_names);
    *soup = (mesh_soup){0};
}

abut_status mesh_no_memory(const char *path, abut_error *error) {
    return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for its contents", path);
}
