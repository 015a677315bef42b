/*
 * Writes joints, and their states in the frames.
 */
#include "io/record/recorder_joints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene/joint/description.h"

enum { CHUNK_FRAMES = 256 };

/* ---- definitions ---- */

static abut_status write_field(hid_t group, const abut_scene *scene, const layout_field *field, char *cells) {
    size_t size = layout_cell_size(field->cell) * (size_t)field->width;
    hsize_t extents[] = {(hsize_t)abut_scene_joint_count(scene), (hsize_t)field->width};
    for (int32_t i = 0; i < abut_scene_joint_count(scene); i++) {
        memcpy(cells + size * (size_t)i, (const char *)abut_scene_get_joint(scene, i) + field->offset, size);
    }
    return h5_write(group, field->name, field->cell, field->width > 1 ? 2 : 1, extents, cells);
}

/* Kind, mode of the motor, and flags: a byte for each joint. */
static abut_status write_choices(hid_t group, const abut_scene *scene, int8_t *cells) {
    hsize_t count = (hsize_t)abut_scene_joint_count(scene);
    int8_t *kind = cells, *motor = kind + count, *limited = motor + count, *collide = limited + count;
    for (int32_t i = 0; i < abut_scene_joint_count(scene); i++) {
        const abut_joint_def *def = &abut_scene_get_joint(scene, i)->def;
        kind[i] = (int8_t)def->kind;
        motor[i] = (int8_t)def->motor.mode;
        limited[i] = def->limited;
        collide[i] = def->collide;
    }
    hid_t kind_type = h5_enumeration(joint_kind_names, 0, JOINT_KINDS), motor_type = h5_enumeration(joint_motor_names, 0, JOINT_MOTORS);
    abut_status status = kind_type < 0 || motor_type < 0 ? ABUT_ERROR_FILE : ABUT_OK;
    status = status ? status : h5_write_enumeration(group, "kind", kind_type, count, kind);
    status = status ? status : h5_write_enumeration(group, "motor", motor_type, count, motor);
    status = status ? status : h5_write(group, "limited", LAYOUT_INT8, 1, &count, limited);
    status = status ? status : h5_write(group, "collide", LAYOUT_INT8, 1, &count, collide);
    H5Tclose(kind_type);
    H5Tclose(motor_type);
    return status;
}

static abut_status write_joints(hid_t file, const abut_scene *scene) {
    char *cells = calloc((size_t)abut_scene_joint_count(scene) + 1, sizeof(abut_pose));
    hid_t group = h5_create_group(file, "joints");
    abut_status status = !cells ? ABUT_ERROR_OUT_OF_MEMORY : group < 0 ? ABUT_ERROR_FILE : write_choices(group, scene, (int8_t *)cells);
    for (int i = 0; i < LAYOUT_JOINT_FIELDS && !status; i++) {
        status = write_field(group, scene, &layout_joint[i], cells);
    }
    H5Gclose(group);
    free(cells);
    return status;
}

/* ---- frames ---- */

static abut_status create_columns(recorder_joints *joints, hid_t file, int compression) {
    static const char *const holds[] = {"gone", "broken", "holds"};
    hsize_t n = (hsize_t)joints->count;
    hid_t group = H5Gopen2(file, "frames", H5P_DEFAULT), hold = h5_enumeration(holds, ABUT_HOLD_GONE, 3);
    const h5_column_def defs[JOINT_COLUMNS] = {
        [JOINT_HOLD] = {"joint_state", LAYOUT_INT8, hold, 2, {n}, CHUNK_FRAMES, compression},
        [JOINT_COORDINATE] = {"joint_coordinate", LAYOUT_DOUBLE, 0, 3, {n, LAYOUT_COORDINATE_WIDTH}, CHUNK_FRAMES, compression},
        [JOINT_ERROR] = {"joint_error", LAYOUT_DOUBLE, 0, 3, {n, LAYOUT_ERROR_WIDTH}, CHUNK_FRAMES, compression},
        [JOINT_LOAD] = {"joint_load", LAYOUT_DOUBLE, 0, 3, {n, LAYOUT_LOAD_WIDTH}, CHUNK_FRAMES, compression},
    };
    abut_status status = group < 0 || hold < 0 ? ABUT_ERROR_FILE : ABUT_OK;
    for (int i = 0; i < JOINT_COLUMNS && !status; i++) {
        status = h5_column_create(group, &defs[i], &joints->columns[i]);
    }
    H5Gclose(group);
    H5Tclose(hold);
    return status;
}

abut_status recorder_joints_begin(recorder_joints *joints, hid_t file, const abut_simulation *simulation, int compression) {
    const abut_scene *scene = abut_simulation_scene(simulation);
    *joints = (recorder_joints){.count = abut_scene_joint_count(scene)};
    size_t count = (size_t)joints->count;
    if (count == 0) {
        return ABUT_OK;
    }
    joints->hold = calloc(count, sizeof *joints->hold);
    joints->coordinate = calloc(count, LAYOUT_COORDINATE_WIDTH * sizeof *joints->coordinate);
    joints->error = calloc(count, LAYOUT_ERROR_WIDTH * sizeof *joints->error);
    joints->load = calloc(count, LAYOUT_LOAD_WIDTH * sizeof *joints->load);
    bool memory = joints->hold && joints->coordinate && joints->error && joints->load;
    abut_status status = memory ? write_joints(file, scene) : ABUT_ERROR_OUT_OF_MEMORY;
    return status ? status : create_columns(joints, file, compression);
}

static void gather(recorder_joints *joints, const abut_simulation *simulation, int32_t i) {
    const double none = NAN;
    abut_joint_state s = {false, none, none, none, none, {none, none, none}, {none, none, none}};
    bool there = abut_world_joint_state(abut_simulation_world(simulation), abut_simulation_joint_id(simulation, i), &s) == ABUT_OK;
    const double load[] = {s.force.x, s.force.y, s.force.z, s.torque.x, s.torque.y, s.torque.z};
    joints->hold[i] = !there ? ABUT_HOLD_GONE : s.broken ? ABUT_HOLD_BROKEN : ABUT_HOLD_WHOLE;
    joints->coordinate[2 * i] = s.coordinate;
    joints->coordinate[2 * i + 1] = s.spin;
    joints->error[2 * i] = s.error;
    joints->error[2 * i + 1] = s.turn_error;
    memcpy(joints->load + LAYOUT_LOAD_WIDTH * i, load, sizeof load);
}

abut_status recorder_joints_append(recorder_joints *joints, const abut_simulation *simulation) {
    const void *const rows[JOINT_COLUMNS] = {
        [JOINT_HOLD] = joints->hold, [JOINT_COORDINATE] = joints->coordinate, [JOINT_ERROR] = joints->error, [JOINT_LOAD] = joints->load};
    for (int32_t i = 0; i < joints->count; i++) {
        gather(joints, simulation, i);
    }
    abut_status status = ABUT_OK;
    for (int i = 0; i < (joints->count > 0 ? JOINT_COLUMNS : 0) && !status; i++) {
        status = h5_column_append(&joints->columns[i], rows[i]);
    }
    return status;
}

void recorder_joints_release(recorder_joints *joints) {
    for (int i = 0; i < JOINT_COLUMNS; i++) {
        h5_column_release(&joints->columns[i]);
    }
    free(joints->hold);
    free(joints->coordinate);
    free(joints->error);
    free(joints->load);
}
