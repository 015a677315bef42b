#pragma once

#include "io/record/h5read.h"
#include "io/record/recording.h"

/* The joints of a recording that is read. Zero without joints. */
typedef struct recorded_joints {
    int32_t count;
    abut_scene_joint *joints; /* [count] */
    h5_rows hold, coordinate, error, load;
    int8_t *hold_cells; /* one frame */
    double *coordinate_cells, *error_cells, *load_cells;
    abut_recorded_joint_state *states; /* [count] of the frame that was read last */
} recorded_joints;

/* Reads and checks the definitions, and opens the states. ABUT_OK, also without joints; ABUT_ERROR_FORMAT; ABUT_ERROR_OUT_OF_MEMORY. To be closed in every
 * case. */
abut_status recorded_joints_open(recorded_joints *joints, hid_t file, int32_t body_count, int64_t frame_count);
abut_status recorded_joints_read(recorded_joints *joints, int64_t frame);
void recorded_joints_close(recorded_joints *joints);
