/*
 * Servo walls: a kinematic body moves along an axis, at most at a given speed, until what it touches presses against it with a given force. Its speed is a
 * limit times (force - pressure) / force, cut to -1 to 1. The limit begins at the largest speed. It is halved when the wall went too far in the last step, so
 * that the pressure passed the force, and otherwise grows by a tenth up to the largest speed. So the wall comes to rest on stiff and on soft bodies alike. The
 * limit does not fall below a millionth of the largest speed, from which it grows back in 150 steps.
 */
#include "io/scene/process/servo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene/simulation_data.h"

static const double least_share = 1e-6; /* of the largest speed, of the limit */

static double *servo_series(const abut_simulation *simulation, int32_t servo) {
    const abut_scene *scene = simulation->scene;
    return simulation->series + INLET_SERIES * scene->inlet_count + OUTLET_SERIES * scene->outlet_count + SERVO_SERIES * servo;
}

abut_status simulation_press(abut_simulation *simulation, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    for (int32_t i = 0; i < scene->servo_count; i++) {
        const scene_servo *servo = &scene->servos[i];
        double *series = servo_series(simulation, i);
        abut_body_state state;
        if (abut_world_body_state(simulation->world, simulation->bodies[servo->body], &state) != ABUT_OK) {
            continue; /* it was removed */
        }
        double missing = servo->force - series[SERVO_FORCE], speed = abut_dot(state.motion.linear, servo->axis);
        bool passed = missing * speed < 0.0;
        double limit = (passed ? 0.5 : 1.1) * series[SERVO_LIMIT];
        series[SERVO_LIMIT] = fmin(fmax(limit, least_share * servo->max_speed), servo->max_speed);
        double share = fmax(-1.0, fmin(missing / servo->force, 1.0));
        abut_motion motion = {abut_scale(series[SERVO_LIMIT] * share, servo->axis), {0, 0, 0}};
        abut_status status = abut_world_set_body_motion(simulation->world, simulation->bodies[servo->body], motion);
        if (status != ABUT_OK) {
            return abut_fail(error, status, "%s: the servo of body '%s' at %g s: %s", abut_scene_path(scene), servo->name,
                             abut_simulation_time(simulation), abut_status_message(status));
        }
    }
    return ABUT_OK;
}

/* The force of contacts on a body against the axis. */
static double pressure_on(const abut_simulation *simulation, const scene_servo *servo) {
    const abut_world_contact *contacts = NULL;
    int32_t count = 0;
    double sum = 0.0;
    abut_body_id body = simulation->bodies[servo->body];
    (void)abut_world_contacts(simulation->world, &contacts, &count);
    for (int32_t i = 0; i < count; i++) {
        bool a = contacts[i].a.index == body.index && contacts[i].a.generation == body.generation;
        bool b = contacts[i].b.index == body.index && contacts[i].b.generation == body.generation;
        double along =
            abut_dot(abut_add_scaled(contacts[i].friction_force, contacts[i].normal_force, contacts[i].contact.normal), servo->axis);
        sum += a ? -along : b ? along : 0.0;
    }
    return sum;
}

void simulation_measure_servos(abut_simulation *simulation) {
    const abut_scene *scene = simulation->scene;
    for (int32_t i = 0; i < scene->servo_count; i++) {
        const scene_servo *servo = &scene->servos[i];
        double *series = servo_series(simulation, i);
        abut_body_state state;
        if (abut_world_body_state(simulation->world, simulation->bodies[servo->body], &state) == ABUT_OK) {
            series[SERVO_TRAVEL] = abut_dot(abut_sub(state.pose.position, scene->bodies[servo->body].def.pose.position), servo->axis);
        }
        series[SERVO_FORCE] = pressure_on(simulation, servo);
        series[SERVO_LIMIT] = simulation->step > 0 ? series[SERVO_LIMIT] : servo->max_speed;
    }
}

/* ---- reading ---- */

static abut_status keep(scene_reader *reader, const char *name, scene_servo *servo) {
    abut_scene *scene = reader->scene;
    scene_servo *grown = realloc(scene->servos, ((size_t)scene->servo_count + 1) * sizeof *grown);
    scene->servos = grown ? grown : scene->servos;
    servo->name = grown ? strdup(name) : NULL;
    servo->body = scene->body_count;
    if (!servo->name) {
        return read_no_memory(reader);
    }
    scene->servos[scene->servo_count++] = *servo;
    return ABUT_OK;
}

abut_status scene_read_servo(scene_reader *reader, const scene_place *body, const char *what, const char *name, const abut_body_def *def,
                             bool single) {
    scene_place place, axis;
    if (!read_member(body, "servo", &place)) {
        return ABUT_OK;
    }
    if (def->kind != ABUT_BODY_KINEMATIC || !single) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &place, true, "%s: only a single kinematic body has a 'servo'", what);
    }
    static const char *const others[] = {"velocity", "angular_velocity", "motion"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (json_object_get(body->value, others[i])) {
            return read_fail_as(reader, ABUT_ERROR_FORMAT, &place, true, "%s has both '%s' and 'servo'", what, others[i]);
        }
    }
    scene_servo servo = {.name = NULL};
    abut_status status = read_object(reader, &place, SCENE_SERVO, "'servo'");
    status = status == ABUT_OK ? read_vec3(reader, &place, "axis", &servo.axis) : status;
    status = status == ABUT_OK ? read_number(reader, &place, "force", NUMBER_POSITIVE, &servo.force) : status;
    status = status == ABUT_OK ? read_number(reader, &place, "max_speed", NUMBER_POSITIVE, &servo.max_speed) : status;
    servo.axis = abut_unit(servo.axis);
    if (status == ABUT_OK && abut_length_squared(servo.axis) == 0.0) {
        read_member(&place, "axis", &axis);
        status = read_fail(reader, &axis, "'axis' must not be zero");
    }
    return status == ABUT_OK ? keep(reader, name, &servo) : status;
}
