/*
 * Reads triangle meshes, from a file or from numbers, and height fields.
 */
#include "io/scene/trimesh.h"

#include <stdlib.h>

#include <abut/mesh.h>

#include "io/mesh/trimesh_file.h"
#include "io/scene/mesh_source.h"

/* What both sources have. */
static abut_status read_sides(const scene_reader *reader, const scene_place *object, bool *two_sided, double *smooth_angle) {
    const double third = 1.0471975511965976; /* of half a turn [rad] */
    abut_status status = read_bool(reader, object, "two_sided", two_sided);
    scene_place place;
    double degrees = 0.0;
    if (status != ABUT_OK || !read_member(object, "smooth_angle_degrees", &place)) {
        return status;
    }
    status = read_number_at(reader, &place, "smooth_angle_degrees", NUMBER_NOT_NEGATIVE, &degrees);
    if (status == ABUT_OK && degrees > 60.0) {
        status = read_fail(reader, &place, "'smooth_angle_degrees' must be a number from 0 to 60, not %g", degrees);
    }
    *smooth_angle = degrees / 60.0 * third;
    return status;
}

/* ---- from a file ---- */

static abut_status read_from_file(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    abut_trimesh_options options = abut_trimesh_options_default();
    abut_status status = scene_read_mesh_scale(reader, place, &options.scale);
    if (status == ABUT_OK) {
        status = read_sides(reader, place, &options.two_sided, &options.smooth_angle);
    }
    if (status == ABUT_OK) {
        status = read_string(reader, place, "piece", &options.piece);
    }
    if (status != ABUT_OK) {
        return status;
    }
    char *path = NULL;
    status = scene_read_mesh_path(reader, place, &path);
    if (status != ABUT_OK) {
        return status;
    }
    abut_shape *shape = NULL;
    abut_error error = {0};
    status = abut_trimesh_load(path, &options, NULL, &shape, &error);
    free(path);
    if (status != ABUT_OK) {
        return scene_mesh_refused(reader, place, what, status, &error);
    }
    *out = (scene_shape){.shape = shape};
    return ABUT_OK;
}

/* ---- from numbers ---- */

static abut_status read_from_numbers(const scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    abut_trimesh_def def = abut_trimesh_def_default();
    abut_vec3 *vertices = NULL;
    int32_t *triangles = NULL;
    abut_status status = scene_read_mesh_scale(reader, place, &def.scale);
    if (status == ABUT_OK) {
        status = read_sides(reader, place, &def.two_sided, &def.smooth_angle);
    }
    if (status == ABUT_OK) {
        status = read_points(reader, place, "vertices", 3, &vertices, &def.vertex_count);
    }
    if (status == ABUT_OK) {
        status = scene_read_triangles(reader, place, def.vertex_count, &triangles, &def.triangle_count);
    }
    if (status == ABUT_OK) {
        def.vertices = vertices;
        def.triangles = triangles;
        abut_shape *shape = NULL;
        status = abut_shape_create_trimesh(&def, NULL, &shape);
        status = status == ABUT_ERROR_DEGENERATE ? read_fail_as(reader, status, place, false, "%s: all its vertices are at one point", what)
                                                 : scene_take_shape(reader, place, what, status, shape, out);
    }
    free(vertices);
    free(triangles);
    return status;
}

abut_status scene_read_trimesh(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    abut_status status = read_object(reader, place, SCENE_TRIMESH, what);
    if (status != ABUT_OK) {
        return status;
    }
    bool file;
    status = scene_read_mesh_source(reader, place, what, &file);
    if (status != ABUT_OK) {
        return status;
    }
    return file ? read_from_file(reader, place, what, out) : read_from_numbers(reader, place, what, out);
}

/* ---- height fields ---- */

static abut_status read_row(const scene_reader *reader, const scene_place *row, size_t columns, double *out) {
    abut_status status = read_array(reader, row, 2, "row of heights");
    if (status == ABUT_OK && json_array_size(row->value) != columns) {
        return read_fail(reader, row, "this row has %zu heights, but the first one has %zu", json_array_size(row->value), columns);
    }
    for (size_t i = 0; status == ABUT_OK && i < columns; i++) {
        scene_place height = read_element(row, i);
        status = read_number_at(reader, &height, "height", NUMBER_ANY, &out[i]);
    }
    return status;
}

/* *heights is to be freed, also on an error. */
static abut_status read_heights(const scene_reader *reader, const scene_place *object, abut_heightfield_def *def, double **heights) {
    const size_t most = 350000000;
    scene_place place;
    read_member(object, "heights", &place);
    abut_status status = read_array(reader, &place, 2, "heights");
    if (status != ABUT_OK) {
        return status;
    }
    size_t rows = json_array_size(place.value), columns = json_array_size(json_array_get(place.value, 0));
    if (columns > most / rows) {
        return read_fail(reader, &place, "'heights' has more than %zu numbers", most);
    }
    *heights = calloc(rows * columns + 1, sizeof **heights);
    if (!*heights) {
        return read_no_memory(reader);
    }
    for (size_t i = 0; status == ABUT_OK && i < rows; i++) {
        scene_place row = read_element(&place, i);
        status = read_row(reader, &row, columns, *heights + i * columns);
    }
    def->rows = (int32_t)rows;
    def->columns = (int32_t)columns;
    return status;
}

static abut_status read_spacing(const scene_reader *reader, const scene_place *object, abut_heightfield_def *def) {
    scene_place place;
    read_member(object, "spacing", &place);
    abut_status status = read_array(reader, &place, 2, "spacing");
    if (status == ABUT_OK && json_array_size(place.value) != 2) {
        return read_fail(reader, &place, "'spacing' must have 2 numbers, not %zu", json_array_size(place.value));
    }
    double *const spacing[2] = {&def->spacing_x, &def->spacing_y};
    for (size_t i = 0; status == ABUT_OK && i < 2; i++) {
        scene_place element = read_element(&place, i);
        status = read_number_at(reader, &element, "spacing", NUMBER_POSITIVE, spacing[i]);
    }
    return status;
}

abut_status scene_read_heightfield(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    abut_heightfield_def def = {.columns = 0};
    double *heights = NULL;
    abut_status status = read_object(reader, place, SCENE_HEIGHTFIELD, what);
    if (status == ABUT_OK) {
        status = read_spacing(reader, place, &def);
    }
    if (status == ABUT_OK) {
        status = read_bool(reader, place, "two_sided", &def.two_sided);
    }
    if (status == ABUT_OK) {
        status = read_heights(reader, place, &def, &heights);
    }
    if (status == ABUT_OK) {
        def.heights = heights;
        abut_shape *shape = NULL;
        status = abut_shape_create_heightfield(&def, &shape);
        status = scene_take_shape(reader, place, what, status, shape, out);
    }
    free(heights);
    return status;
}
