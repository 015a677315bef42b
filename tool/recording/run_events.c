#include "tool/recording/run_events.h"

#include <abut/world_events.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "io/scene/event/kinds.h"

void run_events_want(abut_scene *scene) { abut_scene_set_events(scene, event_recorded_kinds()); }

static json_t *vector(abut_vec3 v) { return json_pack("[f, f, f]", v.x, v.y, v.z); }

/* The value of abut_body_def.user is the index of the body in the scene. */
static json_t *body_name(const abut_scene *scene, uint64_t user) { return json_string(abut_scene_body_name(scene, (int32_t)user)); }

static void add_contact(json_t *line, const abut_world_event *event) {
    json_object_set_new(line, "point", vector(abut_lerp(event->contact.on_a, event->contact.on_b, 0.5)));
    json_object_set_new(line, "normal", vector(event->contact.normal));
    json_object_set_new(line, "gap", json_real(event->contact.gap));
    json_object_set_new(line, "impulse", json_real(event->impulse));
    if (event->kind == ABUT_EVENT_HIT) {
        json_object_set_new(line, "speed", json_real(event->speed));
    }
}

/* The load that broke the joint. */
static void add_joint(json_t *line, const abut_simulation *simulation, abut_joint_id id) {
    abut_joint_state state;
    json_object_set_new(line, "joint", json_integer((json_int_t)id.index - 1));
    if (abut_world_joint_state(abut_simulation_world(simulation), id, &state) == ABUT_OK) {
        json_object_set_new(line, "force", vector(state.force));
        json_object_set_new(line, "torque", vector(state.torque));
    }
}

static json_t *begin_line(const abut_simulation *simulation, int kind, uint64_t a) {
    json_t *line = json_object();
    json_object_set_new(line, "step", json_integer(abut_simulation_step_index(simulation)));
    json_object_set_new(line, "time", json_real(abut_simulation_time(simulation)));
    json_object_set_new(line, "event", json_string(event_names[kind]));
    json_object_set_new(line, "a", body_name(abut_simulation_scene(simulation), a));
    return line;
}

static json_t *line_of_bond(const abut_simulation *simulation, const broken_bond *bond) {
    json_t *line = begin_line(simulation, EVENT_BOND_BREAKS, (uint64_t)bond->a);
    json_object_set_new(line, "b", body_name(abut_simulation_scene(simulation), (uint64_t)bond->b));
    json_object_set_new(line, "tension", json_real(bond->state.tension));
    json_object_set_new(line, "shear", json_real(bond->state.shear));
    return line;
}

static json_t *line_of(const abut_simulation *simulation, const abut_world_event *event) {
    const abut_scene *scene = abut_simulation_scene(simulation);
    const unsigned touch = ABUT_EVENT_TOUCH_BEGIN | ABUT_EVENT_TOUCH_PERSIST | ABUT_EVENT_HIT;
    json_t *line = begin_line(simulation, event_index(event->kind), event->user_a);
    if (event->b.index != 0) {
        json_object_set_new(line, "b", body_name(scene, event->user_b));
    }
    if ((event->kind & touch) != 0) {
        add_contact(line, event);
    }
    if (event->kind == ABUT_EVENT_JOINT_BROKEN) {
        add_joint(line, simulation, event->joint);
    }
    return line;
}

/* Releases the line. */
static abut_status write_line(output_file *file, json_t *line, abut_error *error) {
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(line);
    if (!text) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "no memory");
    }
    abut_status status = output_write(file, text, strlen(text), error);
    free(text);
    return status ? status : output_write(file, "\n", 1, error);
}

abut_status run_events_write(output_file *file, const abut_simulation *simulation, bond_watch *bonds, abut_error *error) {
    const abut_world_event *events;
    int32_t count = 0;
    abut_status status = abut_world_events(abut_simulation_world(simulation), &events, &count);
    status = status ? status : bond_watch_look(bonds, abut_simulation_world(simulation));
    if (status) {
        return abut_fail(error, status, "no memory for the events of step %lld", (long long)abut_simulation_step_index(simulation));
    }
    for (int32_t i = 0; i < count && !status; i++) {
        status = write_line(file, line_of(simulation, &events[i]), error);
    }
    for (int32_t i = 0; i < bonds->news_count && !status; i++) {
        status = write_line(file, line_of_bond(simulation, &bonds->news[i]), error);
    }
    return status;
}
