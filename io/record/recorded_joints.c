/*
 * Reads joints, and their states in the frames.
 */
#include "io/record/recorded_joints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static abut_status read_bytes(hid_t file, const char *path, hsize_t count, int8_t **cells) {
    return h5_read_counted(file, path, LAYOUT_INT8, 1, count, (void **)cells);
}

/* Kind, mode of the motor, and flags. */
static abut_status read_choices(recorded_joints *joints, hid_t file) {
    int8_t *kind = NULL, *motor = NULL, *limited = NULL, *collide = NULL;
    hsize_t count = (hsize_t)joints->count;
    abut_status status = read_bytes(file, "joints/kind", count, &kind);
    status = status ? status : read_bytes(file, "joints/motor", count, &motor);
    status = status ? status : read_bytes(file, "joints/limited", count, &limited);
    status = status ? status : read_bytes(file, "joints/collide", count, &collide);
    for (int32_t i = 0; i < joints->count && !status; i++) {
        bool right = kind[i] >= ABUT_JOINT_WELD && kind[i] <= ABUT_JOINT_GEAR && motor[i] >= 0 && motor[i] <= ABUT_MOTOR_POSITION;
        abut_joint_def *def = &joints->joints[i].def;
        *def = abut_joint_def_default(right ? (abut_joint_kind)kind[i] : ABUT_JOINT_WELD);
        def->motor.mode = right ? (abut_motor_mode)motor[i] : ABUT_MOTOR_OFF;
        def->limited = limited[i] != 0;
        def->collide = collide[i] != 0;
        status = right ? ABUT_OK : ABUT_ERROR_FORMAT;
    }
    free(kind);
    free(motor);
    free(limited);
    free(collide);
    return status;
}

static abut_status read_field(recorded_joints *joints, hid_t file, const layout_field *field) {
    size_t size = layout_cell_size(field->cell) * (size_t)field->width;
    char path[64];
    void *cells = NULL;
    (void)snprintf(path, sizeof path, "joints/%s", field->name);
    abut_status status = h5_read_counted(file, path, field->cell, (hsize_t)field->width, (hsize_t)joints->count, &cells);
    for (int32_t i = 0; i < joints->count && !status; i++) {
        memcpy((char *)&joints->joints[i] + field->offset, (const char *)cells + size * (size_t)i, size);
    }
    free(cells);
    return status;
}

static bool are_right(const recorded_joints *joints, int32_t body_count) {
    bool right = true;
    for (int32_t i = 0; i < joints->count && right; i++) {
        const abut_scene_joint *j = &joints->joints[i];
        right = j->a >= 0 && j->a < body_count && j->b >= 0 && j->b < body_count && abut_pose_is_valid(j->def.frame_a) &&
                abut_pose_is_valid(j->def.frame_b);
    }
    return right;
}

static abut_status open_states(recorded_joints *joints, hid_t file, int64_t frame_count) {
    hsize_t n = (hsize_t)joints->count, frames = (hsize_t)frame_count;
    abut_status status = h5_rows_open(file, "frames/joint_state", LAYOUT_INT8, 2, n, 0, &joints->hold);
    status =
        status ? status : h5_rows_open(file, "frames/joint_coordinate", LAYOUT_DOUBLE, 3, n, LAYOUT_COORDINATE_WIDTH, &joints->coordinate);
    status = status ? status : h5_rows_open(file, "frames/joint_error", LAYOUT_DOUBLE, 3, n, LAYOUT_ERROR_WIDTH, &joints->error);
    status = status ? status : h5_rows_open(file, "frames/joint_load", LAYOUT_DOUBLE, 3, n, LAYOUT_LOAD_WIDTH, &joints->load);
    bool right = status == ABUT_OK && joints->hold.count == frames && joints->coordinate.count == frames && joints->error.count == frames &&
                 joints->load.count == frames;
    if (!right) {
        return status ? status : ABUT_ERROR_FORMAT;
    }
    joints->hold_cells = calloc((size_t)n, 1);
    joints->coordinate_cells = calloc((size_t)n, LAYOUT_COORDINATE_WIDTH * sizeof(double));
    joints->error_cells = calloc((size_t)n, LAYOUT_ERROR_WIDTH * sizeof(double));
    joints->load_cells = calloc((size_t)n, LAYOUT_LOAD_WIDTH * sizeof(double));
    joints->states = calloc((size_t)n, sizeof *joints->states);
    bool memory = joints->hold_cells && joints->coordinate_cells && joints->error_cells && joints->load_cells && joints->states;
    return memory ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

abut_status recorded_joints_open(recorded_joints *joints, hid_t file, int32_t body_count, int64_t frame_count) {
    void *bodies = NULL;
    hsize_t count = 0;
    if (H5Lexists(file, "joints", H5P_DEFAULT) == 0) {
        return ABUT_OK;
    }
    abut_status status = h5_read_all(file, "joints/a", LAYOUT_INT32, 1, &bodies, &count);
    free(bodies);
    if (status || count < 1 || count > INT32_MAX) {
        return status ? status : ABUT_ERROR_FORMAT;
    }
    joints->joints = calloc((size_t)count, sizeof *joints->joints);
    if (!joints->joints) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    joints->count = (int32_t)count;
    status = read_choices(joints, file);
    for (int i = 0; i < LAYOUT_JOINT_FIELDS && !status; i++) {
        status = read_field(joints, file, &layout_joint[i]);
    }
    status = status || are_right(joints, body_count) ? status : ABUT_ERROR_FORMAT;
    return status ? status : open_states(joints, file, frame_count);
}

abut_status recorded_joints_read(recorded_joints *joints, int64_t frame) {
    if (joints->count == 0) {
        return ABUT_OK;
    }
    abut_status status = h5_rows_read(&joints->hold, (hsize_t)frame, 1, joints->hold_cells);
    status = status ? status : h5_rows_read(&joints->coordinate, (hsize_t)frame, 1, joints->coordinate_cells);
    status = status ? status : h5_rows_read(&joints->error, (hsize_t)frame, 1, joints->error_cells);
    status = status ? status : h5_rows_read(&joints->load, (hsize_t)frame, 1, joints->load_cells);
    for (int32_t i = 0; i < joints->count && !status; i++) {
        const double *coordinate = joints->coordinate_cells + LAYOUT_COORDINATE_WIDTH * i;
        const double *error = joints->error_cells + LAYOUT_ERROR_WIDTH * i, *load = joints->load_cells + LAYOUT_LOAD_WIDTH * i;
        int8_t hold = joints->hold_cells[i];
        status = hold >= ABUT_HOLD_GONE && hold <= ABUT_HOLD_WHOLE ? ABUT_OK : ABUT_ERROR_FORMAT;
        joints->states[i] = (abut_recorded_joint_state){(abut_recorded_hold)hold,
                                                        {hold == ABUT_HOLD_BROKEN,
                                                         coordinate[0],
                                                         coordinate[1],
                                                         error[0],
                                                         error[1],
                                                         {load[0], load[1], load[2]},
                                                         {load[3], load[4], load[5]}}};
    }
    return status;
}

void recorded_joints_close(recorded_joints *joints) {
    h5_rows *const rows[] = {&joints->hold, &joints->coordinate, &joints->error, &joints->load};
    void *const blocks[] = {joints->joints,      joints->hold_cells, joints->coordinate_cells,
                            joints->error_cells, joints->load_cells, joints->states};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        h5_rows_close(rows[i]);
    }
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        free(blocks[i]);
    }
}
