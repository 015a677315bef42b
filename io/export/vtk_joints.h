#pragma once

#include "io/export/vtk_scene.h"
#include "io/export/vtkhdf.h"

/*
 * The joints of a frame as lines: from the centre of body a to the origins of the joint's frames on a and on b, and on to the centre of b. Bodies that do not
 * move freely have no meaningful centre, and the line ends at the origin. All points of a line have the joint's values.
 */

enum { VTK_JOINT_ARRAYS = 13 };
extern const vtkhdf_array vtk_joint_arrays[VTK_JOINT_ARRAYS];

/* Adds the joints of the loaded frame whose bodies are there, broken ones too. Returns as abut_recording_joints(). */
abut_status vtk_joints_draw(const vtk_scene *scene, vtkhdf *file, abut_error *error);
