#pragma once

#include "io/export/vtk_scene.h"

#include <abut/shape.h>

/*
 * Shapes that can be asked for contacts, made from a recording: spheres, planes and bodies of rounded triangles, as they are in a frame. A body that deforms
 * has its shape moved to the frame's vertices, as the simulation did: radii that were given stay, others are estimated anew.
 */
typedef struct vtk_shapes {
    const vtk_scene *scene;
    const abut_shape *
        *made;          /* [info.shape_count] as they are in /shapes; NULL for other kinds, and bodies of rounded triangles without radii */
    abut_shape **moved; /* [info.body_count] of bodies that deform, in the frame; NULL for all others */
} vtk_shapes;

/* ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_FORMAT when a recorded shape is none. To be released in every case. */
abut_status vtk_shapes_begin(vtk_shapes *shapes, const vtk_scene *scene, abut_error *error);

/* The shapes of the frame that the scene loaded last. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_FORMAT when a deformed one is none, and as
 * abut_recording_vertices(). */
abut_status vtk_shapes_load(vtk_shapes *shapes, abut_error *error);
void vtk_shapes_release(vtk_shapes *shapes);

/* In the loaded frame; NULL where there is none. */
const abut_shape *vtk_shapes_of(const vtk_shapes *shapes, int32_t body);
