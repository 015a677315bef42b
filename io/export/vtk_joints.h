#pragma once

#include "io/export/vtk_scene.h"
#include "io/export/vtkhdf.h"

/*
 * The joints of a frame as lines: from the centre of body a to the origin of the joint's frame on a, and from the origin of that on b to the centre of b; also
 * from origin to origin for kinds that let them go apart. Bodies that do not move freely have no meaningful centre and no line. All points of a joint have its
 * values.
 */

enum { VTK_JOINT_ARRAYS = 13 };
extern const vtkhdf_array vtk_joint_arrays[VTK_JOINT_ARRAYS];

/* Adds the joints of the loaded frame whose bodies are there, broken ones too. Returns as abut_recording_joints(). */
abut_status vtk_joints_draw(const vtk_scene *scene, vtkhdf *file, abut_error *error);
