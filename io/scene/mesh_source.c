/*
 * Reads the common keys of meshes.
 */
#include "io/scene/mesh_source.h"

#include <stdlib.h>

#include "io/file/file.h"

abut_status scene_read_mesh_source(const scene_reader *reader, const scene_place *object, const char *what, bool *from_file) {
    *from_file = json_object_get(object->value, "file");
    bool piece = json_object_get(object->value, "piece");
    bool vertices = json_object_get(object->value, "vertices"), triangles = json_object_get(object->value, "triangles");
    if (*from_file == (vertices || triangles) || vertices != triangles) {
        return read_fail(reader, object, "%s must have either 'file' or 'vertices' and 'triangles'", what);
    }
    if (piece && !*from_file) {
        scene_place member;
        read_member(object, "piece", &member);
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &member, true, "%s has a 'piece', but no 'file'", what);
    }
    return ABUT_OK;
}

abut_status scene_read_mesh_path(const scene_reader *reader, const scene_place *object, char **path) {
    const char *file = "";
    abut_status status = read_string(reader, object, "file", &file);
    if (status != ABUT_OK) {
        return status;
    }
    *path = file_path_beside(reader->path, file);
    return *path ? ABUT_OK : read_no_memory(reader);
}

abut_status scene_mesh_refused(const scene_reader *reader, const scene_place *object, const char *what, abut_status status,
                               const abut_error *error) {
    scene_place file;
    read_member(object, "file", &file);
    return read_fail_as(reader, status, &file, false, "%s: %s", what, error->message);
}

/* ---- the scale ---- */

static abut_status read_factor(const scene_reader *reader, const scene_place *place, double *out) {
    abut_status status = read_number_at(reader, place, "scale", NUMBER_ANY, out);
    return status == ABUT_OK && *out == 0.0 ? read_fail(reader, place, "'scale' must not be 0") : status;
}

abut_status scene_read_mesh_scale(const scene_reader *reader, const scene_place *object, abut_vec3 *out) {
    scene_place place;
    double factor[3] = {1.0, 1.0, 1.0};
    if (!read_member(object, "scale", &place)) {
        return ABUT_OK;
    }
    if (!json_is_array(place.value) && !json_is_number(place.value)) {
        return read_fail(reader, &place, "'scale' must be a number or an array of 3 numbers, not %s", read_type_name(place.value));
    }
    bool single = json_is_number(place.value);
    abut_vec3 all = {0, 0, 0};
    abut_status status = single ? read_factor(reader, &place, &factor[0]) : read_vec3_at(reader, &place, "scale", &all);
    factor[1] = factor[2] = factor[0];
    for (size_t i = 0; !single && status == ABUT_OK && i < 3; i++) {
        scene_place element = read_element(&place, i);
        status = read_factor(reader, &element, &factor[i]);
    }
    if (status == ABUT_OK) {
        *out = abut_vec3_make(factor[0], factor[1], factor[2]);
    }
    return status;
}

/* ---- triangles ---- */

static abut_status read_triangle(const scene_reader *reader, const scene_place *place, int32_t vertex_count, int32_t *corners) {
    abut_status status = read_array(reader, place, 3, "triangle");
    if (status == ABUT_OK && json_array_size(place->value) != 3) {
        return read_fail(reader, place, "a triangle has 3 corners, not %zu", json_array_size(place->value));
    }
    for (size_t i = 0; status == ABUT_OK && i < 3; i++) {
        scene_place corner = read_element(place, i);
        status = read_integer_at(reader, &corner, "vertex index", 0, vertex_count - 1, &corners[i]);
    }
    return status;
}

abut_status scene_read_triangles(const scene_reader *reader, const scene_place *object, int32_t vertex_count, int32_t **triangles,
                                 int32_t *count) {
    scene_place place;
    read_member(object, "triangles", &place);
    abut_status status = read_array(reader, &place, 1, "triangles");
    if (status != ABUT_OK) {
        return status;
    }
    size_t size = json_array_size(place.value);
    *triangles = calloc(size, 3 * sizeof **triangles);
    if (!*triangles) {
        return read_no_memory(reader);
    }
    for (size_t i = 0; status == ABUT_OK && i < size; i++) {
        scene_place element = read_element(&place, i);
        status = read_triangle(reader, &element, vertex_count, *triangles + 3 * i);
    }
    *count = (int32_t)size;
    return status;
}
