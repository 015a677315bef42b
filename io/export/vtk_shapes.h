#pragma once

#include "io/export/vtk_scene.h"

#include <abut/shape.h>

/*
 * Shapes for contact queries, made from a recording: spheres, planes and bodies of rounded triangles, as they are in a frame. The shape of a deforming body is
 * moved to the frame's vertices, as in the simulation: given radii stay, others are estimated again.
 */
typedef struct vtk_shapes {
    const vtk_scene *scene;
    /* [info.shape_count] as in /shapes; NULL for other kinds, and for bodies of rounded triangles without radii */
    const abut_shape **made;
    abut_shape **moved; /* [info.body_count] shapes of deforming bodies in the frame; NULL for all others */
} vtk_shapes;

/* ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_FORMAT when a recorded shape is invalid. To be released in every case. */
abut_status vtk_shapes_begin(vtk_shapes *shapes, const vtk_scene *scene, abut_error *error);

/* Makes the shapes of the frame that the scene loaded last. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY; ABUT_ERROR_FORMAT when a deformed shape is invalid, and as
 * abut_recording_vertices(). */
abut_status vtk_shapes_load(vtk_shapes *shapes, abut_error *error);
void vtk_shapes_release(vtk_shapes *shapes);

/* The shape of a body in the loaded frame; NULL when it has none. */
const abut_shape *vtk_shapes_of(const vtk_shapes *shapes, int32_t body);
