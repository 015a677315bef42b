/*
 * Reads bodies of rounded triangles, from a file or from numbers, and their radii of curvature: one radius for all triangles, one for each triangle, or one for
 * each group of a file.
 */
#include "io/scene/facetmesh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/mesh/facetmesh_file.h"
#include "io/mesh/facetmesh_make.h"
#include "io/scene/mesh_source.h"

/* The radii of a shape. To be released. */
typedef struct radius_settings {
    double all;
    double *each; /* [each_count] by triangle; NULL when there are none */
    int32_t each_count;
    double *cross; /* [each_count] at a right angle to the directions; NULL when there are none */
    abut_vec3 *directions;
    bool principal;
    double lip;
    abut_group_radius *groups; /* [group_count] names belong to the JSON */
    int32_t group_count;
} radius_settings;

static void release_radii(radius_settings *radii) {
    free(radii->each);
    free(radii->cross);
    free(radii->directions);
    free(radii->groups);
}

/* ---- radii ---- */

/* A length, "flat" or "estimated". */
static abut_status read_radius_at(const scene_reader *reader, const scene_place *place, const char *what, double *out) {
    if (json_is_number(place->value)) {
        return read_number_at(reader, place, what, NUMBER_POSITIVE, out);
    }
    const char *word = json_string_value(place->value);
    if (word && strcmp(word, "flat") == 0) {
        *out = INFINITY;
        return ABUT_OK;
    }
    if (word && strcmp(word, "estimated") == 0) {
        *out = FACETMESH_ESTIMATED;
        return ABUT_OK;
    }
    return read_fail(reader, place, "'%s' must be a number greater than 0, \"flat\" or \"estimated\", not %s", what,
                     word ? "another word" : read_type_name(place->value));
}

static abut_status read_each(const scene_reader *reader, const scene_place *place, radius_settings *radii) {
    abut_status status = read_array(reader, place, 4, "radii");
    if (status != ABUT_OK) {
        return status;
    }
    size_t count = json_array_size(place->value);
    radii->each = calloc(count, sizeof *radii->each);
    radii->each_count = (int32_t)count;
    if (!radii->each) {
        return read_no_memory(reader);
    }
    for (size_t i = 0; status == ABUT_OK && i < count; i++) {
        scene_place element = read_element(place, i);
        status = read_radius_at(reader, &element, "radii", &radii->each[i]);
    }
    return status;
}

static abut_status read_groups(const scene_reader *reader, const scene_place *place, radius_settings *radii) {
    radii->groups = calloc(json_object_size(place->value) + 1, sizeof *radii->groups);
    if (!radii->groups) {
        return read_no_memory(reader);
    }
    const char *name;
    json_t *value;
    json_object_foreach(place->value, name, value) {
        scene_place element;
        read_member(place, name, &element);
        abut_group_radius *given = &radii->groups[radii->group_count++];
        given->group = name;
        abut_status status = read_radius_at(reader, &element, name, &given->radius);
        if (status != ABUT_OK) {
            return status;
        }
    }
    return ABUT_OK;
}

/* A length, which may be below 0, or "flat". */
static abut_status read_cross_at(const scene_reader *reader, const scene_place *place, double *out) {
    const char *word = json_string_value(place->value);
    if (word && strcmp(word, "flat") == 0) {
        *out = INFINITY;
        return ABUT_OK;
    }
    abut_status status = read_number_at(reader, place, "cross_radii", NUMBER_ANY, out);
    return status == ABUT_OK && *out == 0.0 ? read_fail(reader, place, "'cross_radii' must not be 0") : status;
}

static abut_status read_cross(const scene_reader *reader, const scene_place *place, radius_settings *radii) {
    abut_status status = read_array(reader, place, 4, "cross_radii");
    size_t count = (size_t)radii->each_count;
    if (status == ABUT_OK && json_array_size(place->value) != count) {
        status = read_fail(reader, place, "'cross_radii' has %d elements for %d 'radii'", (int)json_array_size(place->value), (int)count);
    }
    radii->cross = status == ABUT_OK ? calloc(count, sizeof *radii->cross) : NULL;
    if (status == ABUT_OK && !radii->cross) {
        return read_no_memory(reader);
    }
    for (size_t i = 0; status == ABUT_OK && i < count; i++) {
        scene_place element = read_element(place, i);
        status = read_cross_at(reader, &element, &radii->cross[i]);
        if (status == ABUT_OK && radii->each[i] == FACETMESH_ESTIMATED) {
            status = read_fail(reader, &element, "'cross_radii' needs a radius of the triangle that is not \"estimated\"");
        }
    }
    return status;
}

static bool estimates_some(const radius_settings *radii) {
    bool some = !radii->each && radii->all == FACETMESH_ESTIMATED;
    for (int32_t i = 0; i < radii->each_count; i++) {
        some = some || radii->each[i] == FACETMESH_ESTIMATED;
    }
    for (int32_t i = 0; i < radii->group_count; i++) {
        some = some || radii->groups[i].radius == FACETMESH_ESTIMATED;
    }
    return some;
}

/* "cross_radii" with "directions", and "principal_curvatures". */
static abut_status read_principal(const scene_reader *reader, const scene_place *object, const char *what, radius_settings *radii) {
    scene_place cross, directions;
    bool has_cross = read_member(object, "cross_radii", &cross), has_directions = read_member(object, "directions", &directions);
    abut_status status = read_bool(reader, object, "principal_curvatures", &radii->principal);
    if (status == ABUT_OK && radii->principal && !estimates_some(radii)) {
        scene_place principal;
        read_member(object, "principal_curvatures", &principal);
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &principal, true, "'principal_curvatures' of %s has no effect: all radii are given",
                            what);
    }
    if (status != ABUT_OK || (!has_cross && !has_directions)) {
        return status;
    }
    if (!has_cross || !has_directions || !radii->each) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, has_cross ? &cross : &directions, true,
                            "%s needs a list of 'radii' together with 'cross_radii' and 'directions'", what);
    }
    status = read_cross(reader, &cross, radii);
    int32_t count = 0;
    status = status == ABUT_OK ? read_points(reader, object, "directions", 4, &radii->directions, &count) : status;
    return status == ABUT_OK && count != radii->each_count
               ? read_fail(reader, &directions, "'directions' has %d elements for %d 'radii'", (int)count, (int)radii->each_count)
               : status;
}

/* "lip_radius". */
static abut_status read_lip(const scene_reader *reader, const scene_place *object, const char *what, radius_settings *radii) {
    scene_place lip;
    if (!read_member(object, "lip_radius", &lip)) {
        return ABUT_OK;
    }
    bool flat = !radii->each && isinf(radii->all);
    for (int32_t i = 0; i < radii->each_count; i++) {
        flat = flat || isinf(radii->each[i]);
    }
    for (int32_t i = 0; i < radii->group_count; i++) {
        flat = flat || isinf(radii->groups[i].radius);
    }
    if (!flat) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &lip, true, "'lip_radius' of %s has no effect: no radius is \"flat\"", what);
    }
    return read_number_at(reader, &lip, "lip_radius", NUMBER_POSITIVE, &radii->lip);
}

/* "radius" and "radii". */
static abut_status read_radii(const scene_reader *reader, const scene_place *object, const char *what, bool file, radius_settings *radii) {
    scene_place all, each;
    bool has_all = read_member(object, "radius", &all);
    abut_status status = has_all ? read_radius_at(reader, &all, "radius", &radii->all) : ABUT_OK;
    if (status != ABUT_OK || !read_member(object, "radii", &each)) {
        return status;
    }
    if (json_is_array(each.value) && has_all) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &each, true, "%s has both 'radius' and 'radii'; use one of them", what);
    }
    if (json_is_array(each.value)) {
        return read_each(reader, &each, radii);
    }
    if (!json_is_object(each.value)) {
        return read_fail(reader, &each,
                         "'radii' must be an array, one for each triangle, or an object, one for each group of the file, not %s",
                         read_type_name(each.value));
    }
    if (!file) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &each, true, "%s has 'radii' of groups, but no 'file' with groups", what);
    }
    return read_groups(reader, &each, radii);
}

/* Warns of radii below the circumradius of their triangles, which cannot be intended. */
static abut_status note_raised(scene_reader *reader, const scene_place *place, const char *what, const abut_facetmesh_report *report) {
    scene_place radii;
    if (report->raised_count == 0 || !(read_member(place, "radii", &radii) || read_member(place, "radius", &radii))) {
        return ABUT_OK;
    }
    return read_warn(reader, &radii, "%s: the radius of %d triangles is below their circumradius, which is used instead", what,
                     (int)report->raised_count);
}

/* Takes ownership of the shape. */
static abut_status finish(scene_reader *reader, const scene_place *place, const char *what, const abut_facetmesh_report *report,
                          const abut_shape *shape, scene_shape *out) {
    abut_status status = note_raised(reader, place, what, report);
    if (status != ABUT_OK) {
        abut_shape_release(shape);
        return status;
    }
    *out = (scene_shape){.shape = shape};
    return ABUT_OK;
}

/* ---- from a file ---- */

static abut_status read_from_file(scene_reader *reader, const scene_place *place, const char *what, const radius_settings *radii,
                                  scene_shape *out) {
    abut_facetmesh_options options = abut_facetmesh_options_default();
    options.radius = radii->all;
    options.radii = radii->each;
    options.radii_count = radii->each_count;
    options.cross_radii = radii->cross;
    options.directions = radii->directions;
    options.principal = radii->principal;
    options.lip_radius = radii->lip;
    options.groups = radii->groups;
    options.group_count = radii->group_count;
    char *path = NULL;
    abut_status status = scene_read_mesh_scale(reader, place, &options.scale);
    if (status == ABUT_OK) {
        status = read_string(reader, place, "piece", &options.piece);
    }
    if (status == ABUT_OK) {
        status = scene_read_mesh_path(reader, place, &path);
    }
    if (status != ABUT_OK) {
        return status;
    }
    abut_facetmesh_report report;
    abut_shape *shape = NULL;
    abut_error error = {0};
    status = abut_facetmesh_load(path, &options, &report, &shape, &error);
    free(path);
    return status == ABUT_OK ? finish(reader, place, what, &report, shape, out) : scene_mesh_refused(reader, place, what, status, &error);
}

/* ---- from numbers ---- */

/* Vertices and triangles as in the file, and the radii of all triangles. To be freed. */
typedef struct numbers {
    abut_vec3 *vertices;
    int32_t *triangles;
    double *radii;
    int32_t vertex_count, triangle_count;
} numbers;

static void scale_numbers(numbers *n, abut_vec3 s) {
    for (int32_t v = 0; v < n->vertex_count; v++) {
        n->vertices[v] = abut_vec3_make(s.x * n->vertices[v].x, s.y * n->vertices[v].y, s.z * n->vertices[v].z);
    }
    bool mirrors = ((s.x < 0.0) != (s.y < 0.0)) != (s.z < 0.0);
    for (int32_t t = 0; mirrors && t < n->triangle_count; t++) {
        int32_t second = n->triangles[3 * t + 1];
        n->triangles[3 * t + 1] = n->triangles[3 * t + 2];
        n->triangles[3 * t + 2] = second;
    }
}

static abut_status spread_radii(const scene_reader *reader, const scene_place *place, const radius_settings *radii, numbers *n) {
    if (radii->each && radii->each_count != n->triangle_count) {
        scene_place member;
        read_member(place, "radii", &member);
        return read_fail(reader, &member, "'radii' has %d elements for %d triangles", (int)radii->each_count, (int)n->triangle_count);
    }
    n->radii = calloc((size_t)n->triangle_count, sizeof *n->radii);
    if (!n->radii) {
        return read_no_memory(reader);
    }
    for (int32_t t = 0; t < n->triangle_count; t++) {
        n->radii[t] = radii->each ? radii->each[t] : radii->all;
    }
    return ABUT_OK;
}

/* The triangle that caused the refusal, or the whole shape. */
static scene_place blamed(const scene_place *triangles, const scene_place *whole, abut_status status, const abut_facetmesh_report *report) {
    int32_t index = status == ABUT_ERROR_NOT_CLOSED ? report->first_open : status == ABUT_ERROR_DEGENERATE ? report->first_degenerate : -1;
    return index >= 0 ? read_element(triangles, (size_t)index) : *whole;
}

static abut_status make(scene_reader *reader, const scene_place *place, const char *what, const radius_settings *radii, const numbers *n,
                        scene_shape *out) {
    abut_facetmesh_def def = {.vertices = n->vertices,
                              .vertex_count = n->vertex_count,
                              .triangles = n->triangles,
                              .triangle_count = n->triangle_count,
                              .radii = n->radii,
                              .cross_radii = radii->cross,
                              .directions = radii->directions,
                              .lip_radius = radii->lip,
                              .principal = radii->principal};
    abut_facetmesh_report report;
    abut_shape *shape = NULL;
    abut_status status = facetmesh_make(&def, &report, &shape);
    if (status == ABUT_OK) {
        return finish(reader, place, what, &report, shape, out);
    }
    if (status == ABUT_ERROR_OUT_OF_MEMORY) {
        return read_no_memory(reader);
    }
    char reason[FACETMESH_REASON_SIZE];
    scene_place triangles;
    read_member(place, "triangles", &triangles);
    scene_place where = blamed(&triangles, place, status, &report);
    status = facetmesh_reason(status, &report, reason);
    return read_fail_as(reader, status, &where, false, "%s: %s", what, reason);
}

static abut_status read_from_numbers(scene_reader *reader, const scene_place *place, const char *what, const radius_settings *radii,
                                     scene_shape *out) {
    numbers n = {0};
    abut_vec3 scale = {1.0, 1.0, 1.0};
    abut_status status = scene_read_mesh_scale(reader, place, &scale);
    if (status == ABUT_OK) {
        status = read_points(reader, place, "vertices", 4, &n.vertices, &n.vertex_count);
    }
    if (status == ABUT_OK) {
        status = scene_read_triangles(reader, place, n.vertex_count, &n.triangles, &n.triangle_count);
    }
    if (status == ABUT_OK && n.triangle_count < 4) {
        scene_place member;
        read_member(place, "triangles", &member);
        status = read_fail(reader, &member, "'triangles' has %d elements, but a closed surface needs at least 4", (int)n.triangle_count);
    }
    if (status == ABUT_OK) {
        status = spread_radii(reader, place, radii, &n);
    }
    if (status == ABUT_OK) {
        scale_numbers(&n, scale);
        status = make(reader, place, what, radii, &n, out);
    }
    free(n.vertices);
    free(n.triangles);
    free(n.radii);
    return status;
}

/* ---- the shape ---- */

abut_status scene_read_facetmesh(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    abut_status status = read_object(reader, place, SCENE_FACETMESH, what);
    if (status != ABUT_OK) {
        return status;
    }
    bool file;
    status = scene_read_mesh_source(reader, place, what, &file);
    if (status != ABUT_OK) {
        return status;
    }
    radius_settings radii = {.all = FACETMESH_ESTIMATED};
    status = read_radii(reader, place, what, file, &radii);
    status = status == ABUT_OK ? read_principal(reader, place, what, &radii) : status;
    status = status == ABUT_OK ? read_lip(reader, place, what, &radii) : status;
    if (status == ABUT_OK) {
        status = file ? read_from_file(reader, place, what, &radii, out) : read_from_numbers(reader, place, what, &radii, out);
    }
    release_radii(&radii);
    return status;
}
