/*
 * Writes vertices of bodies that deform.
 */
#include "io/record/recorder_deformed.h"

#include <abut/mesh.h>

#include <stdlib.h>

enum { CHUNK_ROWS = 1024, CHUNK_VERTICES = 4096 };

abut_status recorder_deformed_begin(recorder_deformed *deformed, const abut_simulation *simulation, int compression) {
    const abut_scene *scene = abut_simulation_scene(simulation);
    *deformed = (recorder_deformed){.compression = compression};
    deformed->last = calloc((size_t)abut_scene_body_count(scene) + 1, sizeof *deformed->last);
    if (!deformed->last) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    deformed->body_count = abut_scene_body_count(scene);
    for (int32_t i = 0; i < deformed->body_count; i++) {
        deformed->last[i] = abut_shape_retain(abut_scene_body_def(scene, i)->shape);
    }
    return ABUT_OK;
}

abut_status recorder_deformed_need(recorder_deformed *deformed, hid_t file) {
    if (deformed->begun) {
        return ABUT_OK;
    }
    const h5_column_def defs[DEFORMED_COLUMNS] = {
        [DEFORMED_FRAME] = {"frame", LAYOUT_INT64, 0, 1, {0}, CHUNK_ROWS, deformed->compression},
        [DEFORMED_BODY] = {"body", LAYOUT_INT32, 0, 1, {0}, CHUNK_ROWS, deformed->compression},
        [DEFORMED_VERTEX_FIRST] = {"vertex_first", LAYOUT_INT64, 0, 1, {0}, CHUNK_ROWS, deformed->compression},
        [DEFORMED_VERTICES] = {"vertices", LAYOUT_DOUBLE, 0, 2, {3}, CHUNK_VERTICES, deformed->compression},
    };
    hid_t group = h5_create_group(file, "deformed");
    abut_status status = group < 0 ? ABUT_ERROR_FILE : ABUT_OK;
    for (int i = 0; i < DEFORMED_COLUMNS && !status; i++) {
        status = h5_column_create(group, &defs[i], &deformed->columns[i]);
    }
    H5Gclose(group);
    deformed->begun = status == ABUT_OK;
    return status;
}

/* Vertices without triangles are at the origin, as in /shapes. */
static abut_status append_vertices(recorder_deformed *deformed, const abut_shape *shape) {
    int32_t count = abut_shape_vertex_count(shape);
    double(*vertices)[3] = calloc((size_t)count + 1, sizeof *vertices);
    abut_status status = vertices ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    for (int32_t t = 0; t < abut_shape_triangle_count(shape) && !status; t++) {
        abut_triangle triangle;
        status = abut_shape_triangle(shape, t, &triangle);
        for (int k = 0; k < 3 && !status; k++) {
            double *cell = vertices[triangle.vertex[k]];
            cell[0] = triangle.corner[k].x;
            cell[1] = triangle.corner[k].y;
            cell[2] = triangle.corner[k].z;
        }
    }
    for (int32_t v = 0; v < count && !status; v++) {
        status = h5_column_append(&deformed->columns[DEFORMED_VERTICES], vertices[v]);
    }
    free(vertices);
    deformed->vertex_rows += count;
    return status;
}

static bool has_same_triangles(const abut_shape *shape, const abut_shape *other) {
    bool mesh = abut_shape_kind(shape) == ABUT_SHAPE_FACETMESH || abut_shape_kind(shape) == ABUT_SHAPE_TRIMESH;
    int32_t count = abut_shape_triangle_count(shape);
    bool same = mesh && abut_shape_kind(shape) == abut_shape_kind(other) && abut_shape_triangle_count(other) == count &&
                abut_shape_vertex_count(shape) == abut_shape_vertex_count(other);
    for (int32_t t = 0; same && t < count; t++) {
        abut_triangle a, b;
        same = abut_shape_triangle(shape, t, &a) == ABUT_OK && abut_shape_triangle(other, t, &b) == ABUT_OK;
        for (int k = 0; same && k < 3; k++) {
            same = a.vertex[k] == b.vertex[k];
        }
    }
    return same;
}

static abut_status append_body(recorder_deformed *deformed, hid_t file, int32_t body, const abut_shape *shape) {
    if (!has_same_triangles(shape, deformed->last[body])) {
        return ABUT_ERROR_UNSUPPORTED;
    }
    const void *const row[] = {
        [DEFORMED_FRAME] = &deformed->frames, [DEFORMED_BODY] = &body, [DEFORMED_VERTEX_FIRST] = &deformed->vertex_rows};
    abut_status status = recorder_deformed_need(deformed, file);
    for (int i = 0; i < DEFORMED_VERTICES && !status; i++) {
        status = h5_column_append(&deformed->columns[i], row[i]);
    }
    status = status ? status : append_vertices(deformed, shape);
    abut_shape_release(deformed->last[body]);
    deformed->last[body] = abut_shape_retain(shape);
    return status;
}

abut_status recorder_deformed_append(recorder_deformed *deformed, hid_t file, const abut_simulation *simulation) {
    abut_status status = ABUT_OK;
    for (int32_t i = 0; i < deformed->body_count && !status; i++) {
        abut_body_info info;
        bool there = abut_world_body_info(abut_simulation_world(simulation), abut_simulation_body_id(simulation, i), &info) == ABUT_OK;
        if (there && info.shape != deformed->last[i]) {
            status = append_body(deformed, file, i, info.shape);
        }
    }
    deformed->frames++;
    return status;
}

void recorder_deformed_continue(recorder_deformed *deformed, const abut_simulation *simulation, int64_t frames, int64_t last_step) {
    const h5_column *vertices = &deformed->columns[DEFORMED_VERTICES];
    for (int32_t i = 0; i < deformed->body_count; i++) {
        abut_body_info info;
        if (abut_world_body_info(abut_simulation_world(simulation), abut_simulation_body_id(simulation, i), &info) != ABUT_OK) {
            continue; /* removed */
        }
        /* A body that deforms never has the undeformed shape. */
        bool other = abut_simulation_shape_step(simulation, i) > last_step;
        const abut_shape *last = other ? abut_scene_body_def(abut_simulation_scene(simulation), i)->shape : info.shape;
        abut_shape_release(deformed->last[i]);
        deformed->last[i] = abut_shape_retain(last);
    }
    deformed->frames = frames;
    deformed->vertex_rows = (int64_t)(vertices->stored + vertices->buffered);
}

void recorder_deformed_release(recorder_deformed *deformed) {
    for (int32_t i = 0; deformed->last && i < deformed->body_count; i++) {
        abut_shape_release(deformed->last[i]);
    }
    free(deformed->last);
    for (int i = 0; i < DEFORMED_COLUMNS; i++) {
        h5_column_release(&deformed->columns[i]);
    }
}
