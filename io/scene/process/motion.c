/*
 * Prescribed motion of kinematic bodies: oscillation, rotation about an axis, a table of places. Parts follow each other: the second one moves the body as the
 * first one has moved it. During a step a body has the constant velocities that bring it to its pose at the end of the step, from where it is, so errors do not
 * add up.
 */
#include "io/scene/process/motion.h"

#include <math.h>
#include <stdlib.h>

#include "io/scene/simulation_data.h"
#include "io/scene/table_file.h"

static const double pi = 3.14159265358979323846;

/* ---- poses ---- */

/* sin(2 pi turns), with the bits of the library on every machine. */
static double sine_of_turns(double turns) { return abut_quat_about(abut_vec3_make(0, 0, 1), 4.0 * pi * (turns - floor(turns))).z; }

static abut_vec3 place_in_table(const motion_part *part, double time) {
    const motion_place *t = part->table;
    int32_t below = 0, above = part->table_count; /* t[below].time <= time < t[above].time */
    if (time <= t[0].time) {
        return t[0].place;
    }
    while (above - below > 1) {
        int32_t middle = below + (above - below) / 2;
        *(t[middle].time <= time ? &below : &above) = middle;
    }
    const motion_place *from = &t[below], *to = &t[above];
    return above == part->table_count ? from->place : abut_lerp(from->place, to->place, (time - from->time) / (to->time - from->time));
}

static abut_pose move_by(const motion_part *part, abut_pose pose, double time) {
    double passed = fmax(fmin(time, part->until) - part->from, 0.0);
    if (part->kind == MOTION_ROTATE) {
        double turns = part->rate * passed;
        abut_quat turn = abut_quat_about(part->axis, 2.0 * pi * (turns - floor(turns)));
        pose.position = abut_add(part->point, abut_quat_rotate(turn, abut_sub(pose.position, part->point)));
        pose.rotation = abut_quat_unit(abut_quat_mul(turn, pose.rotation));
    } else if (part->kind == MOTION_OSCILLATE) {
        double swing = sine_of_turns(part->rate * passed + part->phase) - sine_of_turns(part->phase);
        pose.position = abut_add_scaled(pose.position, part->amplitude * swing, part->axis);
    } else {
        pose.position = abut_add(pose.position, place_in_table(part, passed));
    }
    return pose;
}

abut_pose motion_pose(const scene_motion *motion, abut_pose begin, double time) {
    abut_pose pose = begin;
    for (int32_t i = 0; i < motion->part_count; i++) {
        pose = move_by(&motion->parts[i], pose, time);
    }
    return pose;
}

/* The angle of the sine s >= 0 and the cosine c, 0 to pi, by Newton's method. */
static double angle_of(double s, double c) {
    double x = c > 0.7 ? s : c > -0.7 ? 0.5 * pi - c : pi - s;
    for (int i = 0; i < 6; i++) {
        abut_quat q = abut_quat_about(abut_vec3_make(0, 0, 1), 2.0 * x);
        x += s * q.w - c * q.z;
    }
    return x;
}

abut_motion motion_between(abut_pose from, abut_pose to, abut_vec3 centre, double dt) {
    abut_quat q = abut_quat_mul(to.rotation, abut_quat_conjugate(from.rotation));
    q = q.w < 0.0 ? abut_quat_make(-q.x, -q.y, -q.z, -q.w) : q; /* the shorter way */
    abut_vec3 axis = abut_vec3_make(q.x, q.y, q.z);
    double angle = 2.0 * angle_of(abut_length(axis), q.w);
    return (abut_motion){abut_scale(1.0 / dt, abut_sub(abut_pose_apply(to, centre), abut_pose_apply(from, centre))),
                         abut_scale(angle / dt, abut_unit(axis))};
}

abut_status simulation_move_bodies(abut_simulation *simulation, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    for (int32_t i = 0; i < scene->body_count && scene->motion_count > 0; i++) {
        const scene_body *body = &scene->bodies[i];
        abut_body_state state;
        if (body->motion < 0 || abut_world_body_state(simulation->world, simulation->bodies[i], &state) != ABUT_OK) {
            continue; /* it was removed */
        }
        abut_pose target = motion_pose(&scene->motions[body->motion], body->def.pose, (double)(simulation->step + 1) * scene->dt);
        abut_motion motion = motion_between(state.pose, target, abut_pose_apply_inverse(state.pose, state.centre), scene->dt);
        abut_status status = abut_world_set_body_motion(simulation->world, simulation->bodies[i], motion);
        if (status != ABUT_OK) {
            return abut_fail(error, status, "%s: the motion of body '%s' at %g s: %s", abut_scene_path(scene), body->name,
                             abut_simulation_time(simulation), abut_status_message(status));
        }
    }
    return ABUT_OK;
}

/* ---- reading ---- */

static abut_status read_axis(const scene_reader *reader, const scene_place *place, abut_vec3 *axis) {
    scene_place key;
    abut_status status = read_vec3(reader, place, "axis", axis);
    *axis = abut_unit(*axis);
    if (status == ABUT_OK && abut_length_squared(*axis) == 0.0) {
        read_member(place, "axis", &key);
        status = read_fail(reader, &key, "'axis' must not be zero");
    }
    return status;
}

static abut_status read_oscillate(const scene_reader *reader, const scene_place *place, motion_part *part) {
    double degrees = 0.0;
    part->kind = MOTION_OSCILLATE;
    abut_status status = read_object(reader, place, SCENE_OSCILLATE, "'oscillate'");
    status = status == ABUT_OK ? read_axis(reader, place, &part->axis) : status;
    status = status == ABUT_OK ? read_number(reader, place, "amplitude", NUMBER_POSITIVE, &part->amplitude) : status;
    status = status == ABUT_OK ? read_number(reader, place, "frequency", NUMBER_POSITIVE, &part->rate) : status;
    status = status == ABUT_OK ? read_number(reader, place, "phase_degrees", NUMBER_ANY, &degrees) : status;
    part->phase = degrees / 360.0;
    if (status == ABUT_OK && !(part->rate * reader->scene->dt < 0.5)) {
        scene_place key;
        read_member(place, "frequency", &key);
        status = read_fail(reader, &key,
                           "a 'frequency' of %g makes %g periods in a 'dt' of %g, but must make less than 0.5; give a shorter 'dt'",
                           part->rate, part->rate * reader->scene->dt, reader->scene->dt);
    }
    return status;
}

/* `middle`: a point of the axis where the file gives none; NULL for many bodies, which need one. */
static abut_status read_rotate(const scene_reader *reader, const scene_place *place, const abut_vec3 *middle, motion_part *part) {
    scene_place key;
    double degrees = 0.0, dt = reader->scene->dt;
    part->kind = MOTION_ROTATE;
    part->point = middle ? *middle : abut_vec3_make(0.0, 0.0, 0.0);
    abut_status status = read_object(reader, place, SCENE_ROTATE, "'rotate'");
    status = status == ABUT_OK ? read_axis(reader, place, &part->axis) : status;
    status = status == ABUT_OK ? read_number(reader, place, "degrees_per_second", NUMBER_ANY, &degrees) : status;
    part->rate = degrees / 360.0;
    if (status == ABUT_OK && !(fabs(degrees) * dt < 180.0)) {
        read_member(place, "degrees_per_second", &key);
        return read_fail(reader, &key, "%g degrees in a second are %g in a 'dt' of %g, but must be less than 180; give a shorter 'dt'",
                         degrees, fabs(degrees) * dt, dt);
    }
    if (status == ABUT_OK && !middle && !read_member(place, "point", &key)) {
        return read_fail(reader, place, "bodies of a 'fill' that 'rotate' need a 'point' of their axis");
    }
    return status == ABUT_OK ? read_vec3(reader, place, "point", &part->point) : status;
}

static const char times_fall[] = "times of a 'table' must rise: %g follows %g";

/* Room for the rows of a table. */
static abut_status make_table(const scene_reader *reader, size_t count, motion_part *part) {
    part->kind = MOTION_TABLE;
    part->table = calloc(count, sizeof *part->table);
    return part->table ? ABUT_OK : read_no_memory(reader);
}

/* Takes a row [time, x, y, z]; false when its time does not rise. */
static bool take_row(motion_part *part, const double *row) {
    bool rises = part->table_count == 0 || row[0] > part->table[part->table_count - 1].time;
    part->table[part->table_count] = (motion_place){row[0], abut_vec3_make(row[1], row[2], row[3])};
    part->table_count += rises;
    return rises;
}

static abut_status read_table_array(const scene_reader *reader, const scene_place *place, motion_part *part) {
    abut_status status = read_array(reader, place, 1, "table");
    size_t count = status == ABUT_OK ? json_array_size(place->value) : 0;
    status = status == ABUT_OK ? make_table(reader, count, part) : status;
    for (size_t i = 0; i < count && status == ABUT_OK; i++) {
        scene_place element = read_element(place, i);
        double row[4] = {0.0};
        status = read_numbers_at(reader, &element, "row of 'table', [time, x, y, z],", 4, row);
        if (status == ABUT_OK && !take_row(part, row)) {
            status = read_fail(reader, &element, times_fall, row[0], part->table[i - 1].time);
        }
    }
    return status;
}

static abut_status read_table_file(const scene_reader *reader, const scene_place *place, motion_part *part) {
    scene_table table;
    abut_status status = scene_table_read(reader, place, 4, "[time, x, y, z]", &table);
    status = status == ABUT_OK ? make_table(reader, (size_t)table.count, part) : status;
    for (int32_t i = 0; status == ABUT_OK && i < table.count; i++) {
        const double *row = &table.numbers[4 * (size_t)i];
        if (!take_row(part, row)) {
            status = scene_table_fail(reader, place, &table, i, times_fall, row[0], part->table[i - 1].time);
        }
    }
    scene_table_release(&table);
    return status;
}

static abut_status read_table(const scene_reader *reader, const scene_place *place, motion_part *part) {
    return json_is_string(place->value) ? read_table_file(reader, place, part) : read_table_array(reader, place, part);
}

static abut_status read_part(const scene_reader *reader, const scene_place *place, const abut_vec3 *middle, motion_part *part) {
    static const char *const kinds[] = {"oscillate", "rotate", "table"};
    *part = (motion_part){.until = INFINITY};
    abut_status status = read_object(reader, place, SCENE_MOTION, "'motion'");
    status = status == ABUT_OK ? read_number(reader, place, "from", NUMBER_NOT_NEGATIVE, &part->from) : status;
    status = status == ABUT_OK ? read_number(reader, place, "until", NUMBER_NOT_NEGATIVE, &part->until) : status;
    if (status != ABUT_OK) {
        return status;
    }
    scene_place value, until;
    int found = 0, kind = 0;
    for (int i = 0; i < 3; i++) {
        if (read_member(place, kinds[i], &value)) {
            kind = i;
            found++;
        }
    }
    if (found != 1) {
        return read_fail(reader, place, "a part of 'motion' must have exactly one of 'oscillate', 'rotate' and 'table', not %d", found);
    }
    if (!(part->from < part->until)) {
        read_member(place, "until", &until);
        return read_fail(reader, &until, "'until' %g must be after 'from' %g", part->until, part->from);
    }
    read_member(place, kinds[kind], &value);
    return kind == 0   ? read_oscillate(reader, &value, part)
           : kind == 1 ? read_rotate(reader, &value, middle, part)
                       : read_table(reader, &value, part);
}

static abut_status keep(scene_reader *reader, const scene_motion *motion) {
    abut_scene *scene = reader->scene;
    scene_motion *grown = realloc(scene->motions, ((size_t)scene->motion_count + 1) * sizeof *grown);
    if (!grown) {
        return read_no_memory(reader);
    }
    scene->motions = grown;
    scene->motions[scene->motion_count] = *motion;
    reader->motion = scene->motion_count++;
    return ABUT_OK;
}

static void release(scene_motion *motion) {
    for (int32_t i = 0; i < motion->part_count; i++) {
        free(motion->parts[i].table);
    }
    free(motion->parts);
}

abut_status scene_read_motion(scene_reader *reader, const scene_place *body, const char *what, const abut_body_def *def) {
    scene_place place;
    reader->motion = -1;
    if (!read_member(body, "motion", &place)) {
        return ABUT_OK;
    }
    if (def->kind != ABUT_BODY_KINEMATIC) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &place, true, "%s: only a kinematic body has a 'motion'", what);
    }
    if (json_object_get(body->value, "velocity") || json_object_get(body->value, "angular_velocity")) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &place, true, "%s has both a velocity and a 'motion'", what);
    }
    const abut_vec3 *middle = json_object_get(body->value, "fill") ? NULL : &def->pose.position;
    abut_status status = read_array(reader, &place, 1, "motion");
    size_t count = status == ABUT_OK ? json_array_size(place.value) : 0;
    scene_motion motion = {.parts = status == ABUT_OK ? calloc(count, sizeof *motion.parts) : NULL};
    status = status == ABUT_OK && !motion.parts ? read_no_memory(reader) : status;
    for (size_t i = 0; i < count && status == ABUT_OK; i++) {
        scene_place element = read_element(&place, i);
        motion.part_count = (int32_t)i + 1;
        status = read_part(reader, &element, middle, &motion.parts[i]);
    }
    status = status == ABUT_OK ? keep(reader, &motion) : status;
    if (status != ABUT_OK) {
        release(&motion);
    }
    return status;
}

void motions_release(scene_motion *motions, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        release(&motions[i]);
    }
    free(motions);
}
