/* abut_shape_create_heightfield: a mesh over a grid that stores heights only. */

#include <string.h>

#include "base/argument.h"
#include "base/memory.h"
#include "base/real.h"
#include "shape/heightfield.h"
#include "shape/lifecycle.h"
#include "shape/shape.h"
#include "shape/trimesh.h"

static abut_aabb block_bounds(const trimesh *mesh, int32_t block) {
    int32_t across = heightfield_blocks(mesh->columns);
    int32_t first_column = block % across * HEIGHTFIELD_BLOCK, first_row = block / across * HEIGHTFIELD_BLOCK;
    int32_t last_column = first_column + HEIGHTFIELD_BLOCK, last_row = first_row + HEIGHTFIELD_BLOCK;
    last_column = last_column < mesh->columns ? last_column : mesh->columns - 1;
    last_row = last_row < mesh->rows ? last_row : mesh->rows - 1;
    abut_aabb box = {trimesh_vertex(mesh, first_row * mesh->columns + first_column),
                     trimesh_vertex(mesh, last_row * mesh->columns + last_column)};
    box.lower.z = INFINITY;
    box.upper.z = -INFINITY;
    for (int32_t row = first_row; row <= last_row; row++) {
        for (int32_t column = first_column; column <= last_column; column++) {
            double height = mesh->heights[(size_t)row * (size_t)mesh->columns + (size_t)column];
            box.lower.z = real_min(box.lower.z, height);
            box.upper.z = real_max(box.upper.z, height);
        }
    }
    return box;
}

static bool make_tree(trimesh *mesh) {
    abut_aabb *boxes = memory_allocate((size_t)mesh->item_count, sizeof *boxes);
    bool fine = boxes != NULL;
    for (int32_t i = 0; i < mesh->item_count && fine; i++) {
        boxes[i] = block_bounds(mesh, i);
    }
    fine = fine && packed_tree_build(&mesh->tree, boxes, mesh->item_count, mesh->order);
    memory_release(boxes);
    return fine;
}

static abut_status check(const char *call, const abut_heightfield_def *def) {
    const int64_t most = 350000000;
    if (argument_is_null(call, "def", def) || argument_is_null(call, "def->heights", def->heights) ||
        argument_is_below(call, "def->columns", def->columns, 2) || argument_is_below(call, "def->rows", def->rows, 2)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    int64_t count = (int64_t)def->columns * def->rows;
    if (count > most) {
        (void)refused_integer(call, "def->columns * def->rows", count, "at most 350 million");
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_not_finite(call, "def->spacing_x", def->spacing_x) || argument_is_not_finite(call, "def->spacing_y", def->spacing_y)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    for (int64_t i = 0; i < count; i++) {
        if (!isfinite(def->heights[i])) {
            return refuse(ABUT_ERROR_NOT_FINITE, call, "def->heights[%lld] is not finite", (long long)i);
        }
    }
    bool bad = argument_is_not_positive(call, "def->spacing_x", def->spacing_x) ||
               argument_is_not_positive(call, "def->spacing_y", def->spacing_y);
    return bad ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK;
}

static bool fill(trimesh *mesh, const abut_heightfield_def *def) {
    mesh->columns = def->columns;
    mesh->rows = def->rows;
    mesh->spacing_x = def->spacing_x;
    mesh->spacing_y = def->spacing_y;
    mesh->two_sided = def->two_sided;
    mesh->vertex_count = def->columns * def->rows;
    mesh->triangle_count = 2 * (def->columns - 1) * (def->rows - 1);
    mesh->item_count = heightfield_blocks(def->columns) * heightfield_blocks(def->rows);
    mesh->heights = memory_allocate((size_t)mesh->vertex_count, sizeof *mesh->heights);
    mesh->order = memory_allocate((size_t)mesh->item_count, sizeof *mesh->order);
    if (mesh->heights == NULL || mesh->order == NULL) {
        return false;
    }
    memcpy(mesh->heights, def->heights, (size_t)mesh->vertex_count * sizeof *mesh->heights);
    return make_tree(mesh);
}

abut_status abut_shape_create_heightfield(const abut_heightfield_def *def, abut_shape **shape) {
    abut_status status = argument_is_null(CALL_NAME, "shape", shape) ? ABUT_ERROR_INVALID_ARGUMENT : check(CALL_NAME, def);
    if (status != ABUT_OK) {
        return status;
    }
    abut_shape *made = shape_allocate(ABUT_SHAPE_TRIMESH);
    trimesh *mesh = made != NULL ? made->mesh = memory_allocate(1, sizeof *mesh) : NULL;
    if (mesh == NULL || !fill(mesh, def)) {
        shape_free(made);
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    abut_vec3 last = trimesh_vertex(mesh, mesh->vertex_count - 1);
    made->bounds = (abut_aabb){{0, 0, INFINITY}, {last.x, last.y, -INFINITY}};
    for (int32_t i = 0; i < mesh->vertex_count; i++) {
        made->bounds.lower.z = real_min(made->bounds.lower.z, mesh->heights[i]);
        made->bounds.upper.z = real_max(made->bounds.upper.z, mesh->heights[i]);
    }
    return shape_publish_mesh(CALL_NAME, made, shape);
}
