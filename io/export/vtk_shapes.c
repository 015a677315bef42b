/*
 * Makes shapes from a recording: undeformed ones once, deformed ones for each frame.
 */
#include "io/export/vtk_shapes.h"

#include <stdlib.h>

#include <abut/facetmesh.h>

/* The radii in effect suffice for a shape that stays. A shape that deforms needs to know which radii were given. */
static abut_status make_facetmesh(const abut_recorded_shape *recorded, bool deforms, const abut_shape **shape) {
    bool triangles = recorded->face_count > 0 && recorded->face_first[recorded->face_count] == 3 * recorded->face_count;
    if (!recorded->radii || !triangles) {
        return ABUT_OK;
    }
    abut_facetmesh_def def = abut_facetmesh_def_default();
    def.vertices = recorded->vertices;
    def.vertex_count = recorded->vertex_count;
    def.triangles = recorded->face_vertices;
    def.triangle_count = recorded->face_count;
    def.radii = deforms ? recorded->given_radii : recorded->radii;
    abut_shape *made = NULL;
    abut_status status = abut_shape_create_facetmesh(&def, NULL, &made);
    *shape = made;
    return status;
}

static abut_status make_shape(const abut_recorded_shape *recorded, bool deforms, const abut_shape **shape) {
    abut_shape *made = NULL;
    abut_status status = ABUT_OK;
    switch (recorded->kind) {
    case ABUT_SHAPE_SPHERE:
        status = abut_shape_create_sphere(recorded->radius, &made);
        break;
    case ABUT_SHAPE_PLANE:
        status = abut_shape_create_plane(recorded->normal, recorded->offset, &made);
        break;
    case ABUT_SHAPE_FACETMESH:
        return make_facetmesh(recorded, deforms, shape);
    default:
        break;
    }
    *shape = made;
    return status;
}

static abut_status explain(const vtk_shapes *shapes, abut_status status, abut_error *error) {
    const char *path = shapes->scene->info.path;
    return status == ABUT_ERROR_OUT_OF_MEMORY
               ? abut_fail(error, status, "%s: no memory for its shapes", path)
               : abut_fail(error, ABUT_ERROR_FORMAT, "%s: the recording is damaged: one of its shapes is invalid (%s)", path,
                           abut_status_message(status));
}

static bool is_of_a_deforming_body(const vtk_shapes *shapes, int32_t shape) {
    bool found = false;
    for (int32_t i = 0; i < shapes->scene->info.body_count && !found; i++) {
        found = shapes->scene->bodies[i].deforms && shapes->scene->bodies[i].body.shape == shape;
    }
    return found;
}

abut_status vtk_shapes_begin(vtk_shapes *shapes, const vtk_scene *scene, abut_error *error) {
    *shapes = (vtk_shapes){.scene = scene,
                           .made = calloc((size_t)scene->info.shape_count + 1, sizeof *shapes->made),
                           .moved = calloc((size_t)scene->info.body_count + 1, sizeof *shapes->moved)};
    abut_status status = shapes->made && shapes->moved ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
    for (int32_t i = 0; i < scene->info.shape_count && !status; i++) {
        abut_recorded_shape recorded;
        (void)abut_recording_shape(scene->recording, i, &recorded);
        status = make_shape(&recorded, is_of_a_deforming_body(shapes, i), &shapes->made[i]);
    }
    return status ? explain(shapes, status, error) : ABUT_OK;
}

abut_status vtk_shapes_load(vtk_shapes *shapes, abut_error *error) {
    const vtk_scene *scene = shapes->scene;
    for (int32_t i = 0; i < scene->info.body_count; i++) {
        const abut_shape *made = shapes->made[scene->bodies[i].body.shape];
        abut_shape_release(shapes->moved[i]);
        shapes->moved[i] = NULL;
        if (!scene->bodies[i].deforms || !scene->bodies[i].there || !made || scene->bodies[i].kind != ABUT_SHAPE_FACETMESH) {
            continue;
        }
        const abut_vec3 *vertices;
        int32_t count;
        abut_status status = abut_recording_vertices(scene->recording, scene->frame, i, &vertices, &count, error);
        if (status) {
            return status;
        }
        status = abut_shape_create_facetmesh_moved(made, vertices, NULL, NULL, &shapes->moved[i]);
        if (status) {
            return explain(shapes, status, error);
        }
    }
    return ABUT_OK;
}

void vtk_shapes_release(vtk_shapes *shapes) {
    for (int32_t i = 0; shapes->made && i < shapes->scene->info.shape_count; i++) {
        abut_shape_release(shapes->made[i]);
    }
    for (int32_t i = 0; shapes->moved && i < shapes->scene->info.body_count; i++) {
        abut_shape_release(shapes->moved[i]);
    }
    free(shapes->made);
    free(shapes->moved);
    *shapes = (vtk_shapes){0};
}

const abut_shape *vtk_shapes_of(const vtk_shapes *shapes, int32_t body) {
    return shapes->moved[body] ? shapes->moved[body] : shapes->made[shapes->scene->bodies[body].body.shape];
}
