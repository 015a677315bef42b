#pragma once

#include "io/record/h5write.h"
#include "io/record/recording.h"

/*
 * The joints of a recording: the group /joints, and four datasets of /frames. Only scenes with joints have them.
 */
enum { JOINT_HOLD, JOINT_COORDINATE, JOINT_ERROR, JOINT_LOAD, JOINT_COLUMNS };

typedef struct recorder_joints {
    int32_t count;
    h5_column columns[JOINT_COLUMNS];
    int8_t *hold;                      /* [count] rows of the frame being gathered */
    double *coordinate, *error, *load; /* [count] of LAYOUT_COORDINATE_WIDTH, and so on */
} recorder_joints;

/* Writes the joints, and begins their columns in the existing group /frames. To be released in every case. */
abut_status recorder_joints_begin(recorder_joints *joints, hid_t file, const abut_simulation *simulation, int compression);

/* Records the present state as that of the next frame. */
abut_status recorder_joints_append(recorder_joints *joints, const abut_simulation *simulation);
void recorder_joints_release(recorder_joints *joints);
