/*
 * Reads convex polytopes: hulls of points, and vertices with faces.
 */
#include "io/scene/shapes/polytope.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/mesh/smooth_hull.h"

abut_status scene_read_hull(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    abut_vec3 *points = NULL;
    int32_t count = 0;
    abut_status status = read_object(reader, place, SCENE_HULL, what);
    if (status == ABUT_OK) {
        status = read_points(reader, place, "points", 4, &points, &count);
    }
    if (status != ABUT_OK) {
        return status;
    }
    abut_shape *shape = NULL;
    status = smooth_hull(points, count, SMOOTH_TOLERANCE, &shape);
    free(points);
    return scene_take_shape(reader, place, what, status, shape, out);
}

/* Reads the faces of a polytope and checks their indices. Both arrays are to be freed, also after an error. */
static abut_status read_faces(const scene_reader *reader, const scene_place *object, int32_t vertex_count, int32_t *face_count,
                              int32_t **sizes, int32_t **corners) {
    scene_place place;
    read_member(object, "faces", &place);
    abut_status status = read_array(reader, &place, 4, "faces");
    if (status != ABUT_OK) {
        return status;
    }
    size_t count = json_array_size(place.value), total = 0;
    for (size_t f = 0; f < count; f++) {
        scene_place face = read_element(&place, f);
        status = read_array(reader, &face, 3, "face");
        if (status != ABUT_OK) {
            return status;
        }
        total += json_array_size(face.value);
    }
    if (total > INT32_MAX) {
        return read_fail(reader, &place, "'faces' has too many corners");
    }
    *sizes = calloc(count, sizeof **sizes);
    *corners = calloc(total, sizeof **corners);
    if (!*sizes || !*corners) {
        return read_no_memory(reader);
    }
    int32_t *next = *corners;
    for (size_t f = 0; f < count; f++) {
        scene_place face = read_element(&place, f);
        (*sizes)[f] = (int32_t)json_array_size(face.value);
        for (size_t i = 0; i < json_array_size(face.value); i++) {
            scene_place corner = read_element(&face, i);
            status = read_integer_at(reader, &corner, "vertex index", 0, vertex_count - 1, next++);
            if (status != ABUT_OK) {
                return status;
            }
        }
    }
    *face_count = (int32_t)count;
    return ABUT_OK;
}

/* Reports why the polytope was refused, at the face that caused it. */
static abut_status polytope_refused(const scene_reader *reader, const scene_place *place, const char *what, abut_status status,
                                    const abut_polytope_report *report) {
    scene_place faces, face;
    const scene_place *blamed = place;
    if (report->face >= 0 && read_member(place, "faces", &faces)) {
        face = read_element(&faces, (size_t)report->face);
        blamed = face.value ? &face : place;
    }
    if (status == ABUT_ERROR_INVALID_ARGUMENT) {
        return read_fail(reader, blamed, "%s: its sizes are outside the range of double precision", what);
    }
    char reason[160] = "";
    if (status == ABUT_ERROR_NOT_CONVEX && report->face >= 0 && report->vertex >= 0) {
        snprintf(reason, sizeof reason, ": face %d has a dent %.3g deep near vertex %d", report->face, report->dent, report->vertex);
    } else if (report->face >= 0 && report->vertex >= 0) {
        snprintf(reason, sizeof reason, " (face %d, vertex %d)", report->face, report->vertex);
    } else if (report->face >= 0) {
        snprintf(reason, sizeof reason, " (face %d)", report->face);
    }
    return read_fail_as(reader, status, blamed, false, "%s: %s%s", what, abut_status_message(status), reason);
}

abut_status scene_read_polytope(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out) {
    abut_vec3 *vertices = NULL;
    int32_t *sizes = NULL, *corners = NULL;
    abut_polytope_def def = {0};
    abut_status status = read_object(reader, place, SCENE_POLYTOPE, what);
    if (status == ABUT_OK) {
        status = read_points(reader, place, "vertices", 4, &vertices, &def.vertex_count);
    }
    if (status == ABUT_OK) {
        status = read_faces(reader, place, def.vertex_count, &def.face_count, &sizes, &corners);
    }
    if (status == ABUT_OK) {
        def.vertices = vertices;
        def.face_sizes = sizes;
        def.face_vertices = corners;
        def.tolerance = SMOOTH_TOLERANCE;
        abut_polytope_report report = {-1, -1, 0.0};
        abut_shape *shape = NULL;
        status = abut_shape_create_polytope(&def, &report, &shape);
        if (status == ABUT_OK) {
            *out = (scene_shape){.shape = shape};
        } else {
            status = polytope_refused(reader, place, what, status, &report);
        }
    }
    free(vertices);
    free(sizes);
    free(corners);
    return status;
}
