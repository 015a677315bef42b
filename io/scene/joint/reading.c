/*
 * Reads joints. A scene places a joint in the world, where its bodies are at the start; the frames on the bodies follow.
 */
#include "io/scene/joint/reading.h"

#include <stdio.h>
#include <stdlib.h>

#include "io/scene/body.h"
#include "io/scene/data.h"
#include "io/scene/joint/description.h"

static bool has_coordinate(abut_joint_kind kind) {
    return kind == ABUT_JOINT_REVOLUTE || kind == ABUT_JOINT_PRISMATIC || kind == ABUT_JOINT_DISTANCE || kind == ABUT_JOINT_WHEEL;
}

static abut_status find_bodies(const scene_reader *reader, const scene_place *place, abut_scene_joint *joint) {
    abut_status status = scene_named_body(reader, place, "a", &joint->a);
    status = status == ABUT_OK ? scene_named_body(reader, place, "b", &joint->b) : status;
    if (status != ABUT_OK) {
        return status;
    }
    const scene_body *bodies = reader->scene->bodies;
    if (joint->a == joint->b) {
        return read_fail(reader, place, "a joint needs two bodies: 'a' and 'b' are both '%s'", bodies[joint->a].name);
    }
    bool dynamic = bodies[joint->a].def.kind == ABUT_BODY_DYNAMIC || bodies[joint->b].def.kind == ABUT_BODY_DYNAMIC;
    return dynamic ? ABUT_OK : read_fail(reader, place, "a joint needs a dynamic body: neither 'a' nor 'b' is one");
}

/* A frame in the world as a frame on a body. */
static abut_pose on_body(const scene_reader *reader, int32_t body, abut_pose frame) {
    abut_pose pose = reader->scene->bodies[body].def.pose;
    pose.rotation = abut_quat_unit(pose.rotation);
    return (abut_pose){abut_pose_apply_inverse(pose, frame.position),
                       abut_quat_unit(abut_quat_mul(abut_quat_conjugate(pose.rotation), frame.rotation))};
}

/* Without keys of its own the frame on b has the place of that on a. Without "rest" a distance is that at the start. */
static abut_status read_frames(const scene_reader *reader, const scene_place *place, abut_scene_joint *joint) {
    abut_joint_def *def = &joint->def;
    abut_pose frame = {reader->scene->bodies[joint->b].def.pose.position, abut_quat_identity()};
    bool placed = json_object_get(place->value, "position");
    abut_vec3 other = frame.position;
    abut_status status = read_pose(reader, place, &frame);
    frame.position = placed ? frame.position : other;
    abut_pose frame_b = frame;
    status = status == ABUT_OK ? read_vec3(reader, place, "position_b", &frame_b.position) : status;
    scene_place turned;
    if (status == ABUT_OK && read_member(place, "rotation_b", &turned)) {
        status = read_rotation(reader, &turned, &frame_b.rotation);
    }
    def->frame_a = on_body(reader, joint->a, frame);
    def->frame_b = on_body(reader, joint->b, frame_b);
    def->rest = def->kind == ABUT_JOINT_DISTANCE ? abut_distance_between(frame.position, frame_b.position) : 0.0;
    return status;
}

static abut_status read_motor(const scene_reader *reader, const scene_place *place, abut_joint_motor *motor) {
    abut_status status = read_object(reader, place, SCENE_JOINT_MOTOR, "'motor'");
    if (status != ABUT_OK) {
        return status;
    }
    bool speed = json_object_get(place->value, "speed"), position = json_object_get(place->value, "position");
    if (speed == position) {
        return read_fail(reader, place, "'motor' must have either 'speed' or 'position'");
    }
    motor->mode = speed ? ABUT_MOTOR_SPEED : ABUT_MOTOR_POSITION;
    const number_key numbers[] = {{speed ? "speed" : "position", NUMBER_ANY, &motor->target},
                                  {"max_speed", NUMBER_POSITIVE, &motor->speed},
                                  {"max_force", NUMBER_NOT_NEGATIVE, &motor->max_force}};
    return read_number_keys(reader, place, numbers, sizeof numbers / sizeof *numbers);
}

static abut_status check_kind(const scene_reader *reader, const scene_place *place, const abut_joint_def *def) {
    static const char *const keys[] = {"motor", "stiffness", "damping", "lower", "upper"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        scene_place member;
        bool limit = i >= 3, fits = has_coordinate(def->kind) || (limit && def->kind == ABUT_JOINT_SPHERICAL);
        if (!fits && read_member(place, keys[i], &member)) {
            return read_fail_as(reader, ABUT_ERROR_FORMAT, &member, true, "a joint of kind '%s' has no '%s'", joint_kind_names[def->kind],
                                keys[i]);
        }
    }
    if (def->lower > def->upper) {
        return read_fail(reader, place, "'lower' %g is above 'upper' %g", def->lower, def->upper);
    }
    return def->ratio != 0.0 ? ABUT_OK : read_fail(reader, place, "'ratio' must not be 0");
}

static abut_status read_numbers(const scene_reader *reader, const scene_place *place, abut_joint_def *def) {
    number_range rest = def->kind == ABUT_JOINT_DISTANCE ? NUMBER_NOT_NEGATIVE : NUMBER_ANY;
    const number_key numbers[] = {{"lower", NUMBER_ANY, &def->lower},
                                  {"upper", NUMBER_ANY, &def->upper},
                                  {"stiffness", NUMBER_NOT_NEGATIVE, &def->stiffness},
                                  {"damping", NUMBER_NOT_NEGATIVE, &def->damping},
                                  {"rest", rest, &def->rest},
                                  {"ratio", NUMBER_ANY, &def->ratio},
                                  {"break_force", NUMBER_NOT_NEGATIVE, &def->break_force},
                                  {"break_torque", NUMBER_NOT_NEGATIVE, &def->break_torque}};
    def->limited = json_object_get(place->value, "lower") || json_object_get(place->value, "upper");
    return read_number_keys(reader, place, numbers, sizeof numbers / sizeof *numbers);
}

/* What the event stepper does not hold. */
static abut_status check_event(const scene_reader *reader, const scene_place *place) {
    static const char *const keys[] = {"lower", "upper", "motor", "break_force", "break_torque"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys && reader->scene->world.stepper == ABUT_STEPPER_EVENT; i++) {
        scene_place member;
        if (read_member(place, keys[i], &member)) {
            return read_fail_as(reader, ABUT_ERROR_UNSUPPORTED, &member, true,
                                "with the event stepper joints have no '%s'; leave it out, or use the fixed stepper", keys[i]);
        }
    }
    return ABUT_OK;
}

static abut_status read_joint(const scene_reader *reader, const scene_place *place, const char *what, abut_scene_joint *joint) {
    int kind = 0;
    abut_status status = read_object(reader, place, SCENE_JOINT, what);
    status = status == ABUT_OK ? read_choice(reader, place, "kind", joint_kind_names, &kind) : status;
    joint->def = abut_joint_def_default((abut_joint_kind)kind);
    status = status == ABUT_OK ? find_bodies(reader, place, joint) : status;
    status = status == ABUT_OK ? read_frames(reader, place, joint) : status;
    status = status == ABUT_OK ? read_bool(reader, place, "collide", &joint->def.collide) : status;
    status = status == ABUT_OK ? read_numbers(reader, place, &joint->def) : status;
    scene_place motor;
    if (status == ABUT_OK && read_member(place, "motor", &motor)) {
        status = read_motor(reader, &motor, &joint->def.motor);
    }
    status = status == ABUT_OK ? check_kind(reader, place, &joint->def) : status;
    return status == ABUT_OK ? check_event(reader, place) : status;
}

abut_status scene_read_joints(scene_reader *reader) {
    abut_scene *scene = reader->scene;
    scene_place place;
    if (!read_member(&reader->root, "joints", &place)) {
        return ABUT_OK;
    }
    abut_status status = read_array(reader, &place, 0, "joints");
    if (status != ABUT_OK || json_array_size(place.value) == 0) {
        return status;
    }
    bool rubs = scene->world.stepper == ABUT_STEPPER_EVENT && scene->world.event.friction;
    if (rubs || scene->world.stepper == ABUT_STEPPER_DEM) {
        return read_fail_as(reader, ABUT_ERROR_UNSUPPORTED, &place, true,
                            rubs ? "the event stepper has no joints beside friction; use the fixed stepper"
                                 : "the dem stepper has no joints");
    }
    scene->joints = calloc(json_array_size(place.value), sizeof *scene->joints);
    if (!scene->joints) {
        return read_no_memory(reader);
    }
    for (size_t i = 0; status == ABUT_OK && i < json_array_size(place.value); i++) {
        char what[32];
        (void)snprintf(what, sizeof what, "joint %zu", i);
        scene_place element = read_element(&place, i);
        status = read_joint(reader, &element, what, &scene->joints[scene->joint_count++]);
    }
    return status;
}

int32_t abut_scene_joint_count(const abut_scene *scene) { return scene->joint_count; }

const abut_scene_joint *abut_scene_get_joint(const abut_scene *scene, int32_t index) {
    return index >= 0 && index < scene->joint_count ? &scene->joints[index] : NULL;
}
