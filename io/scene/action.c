/*
 * Reads actions and finds their steps, or their triggers. Step k takes the world from k dt to (k + 1) dt; an action belongs to the step whose half-open
 * interval contains its time.
 */
#include "io/scene/action.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/nearest_name.h"
#include "io/scene/body.h"
#include "io/scene/data.h"
#include "io/scene/dem.h"
#include "io/scene/process/bonds.h"

/* An action and its index in the file, for sorting. */
typedef struct timed_action {
    abut_scene_action action;
    size_t index;
} timed_action;

/* Above 2^53 a double does not represent every integer. */
static const double most_steps = 9007199254740992.0;

/* The step whose interval contains the time. 0.3 / 0.1 is slightly below 3 in double precision, so a quotient that is that close to a whole number counts as
 * the whole number. */
static int64_t step_at(double time, double dt) {
    double steps = time / dt, nearest = round(steps);
    double step = fabs(steps - nearest) <= 1e-9 * fmax(1.0, steps) ? nearest : floor(steps);
    return (int64_t)fmin(step, most_steps);
}

/* The centre of mass in the body's shape frame: springs and forces act there by default. */
static abut_vec3 centre_of(const scene_body *body) {
    abut_mass mass = {0};
    abut_shape_mass(body->def.shape, 1.0, &mass);
    return mass.centre;
}

/* Reads "body" of an action that needs a body that forces can move, or one that moves at all. `deed` says in messages what the action cannot do. */
static abut_status find_moving_body(const scene_reader *reader, const scene_place *place, const char *deed, bool kinematic_too,
                                    int32_t *index) {
    abut_status status = scene_named_body(reader, place, "body", index);
    if (status != ABUT_OK) {
        return status;
    }
    const scene_body *body = &reader->scene->bodies[*index];
    if (body->def.kind == ABUT_BODY_DYNAMIC || (kinematic_too && body->def.kind == ABUT_BODY_KINEMATIC)) {
        return ABUT_OK;
    }
    scene_place member;
    read_member(place, "body", &member);
    return read_fail(reader, &member, "%s body '%s', which is %s", deed, body->name,
                     body->def.kind == ABUT_BODY_STATIC ? "static" : "kinematic");
}

static abut_status read_spring(const scene_reader *reader, const scene_place *place, abut_scene_action *action) {
    if (reader->scene->world.stepper == ABUT_STEPPER_DEM) {
        return read_fail(reader, place, "the dem stepper has no springs; use 'force', or a body of kind 'kinematic'");
    }
    abut_status status = read_object(reader, place, SCENE_SPRING, "'spring'");
    if (status == ABUT_OK) {
        status = find_moving_body(reader, place, "a spring cannot pull", false, &action->body);
    }
    if (status != ABUT_OK) {
        return status;
    }
    abut_spring_def spring = abut_spring_def_default();
    action->anchor = centre_of(&reader->scene->bodies[action->body]);
    action->frequency = spring.frequency;
    action->damping_ratio = spring.damping_ratio;
    action->max_force = INFINITY;
    status = read_vec3(reader, place, "anchor", &action->anchor);
    if (status == ABUT_OK) {
        status = read_vec3(reader, place, "target", &action->target);
    }
    action->target_end = action->target;
    if (status == ABUT_OK) {
        status = read_vec3(reader, place, "target_end", &action->target_end);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "frequency", NUMBER_POSITIVE, &action->frequency);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "damping_ratio", NUMBER_NOT_NEGATIVE, &action->damping_ratio);
    }
    if (status == ABUT_OK) {
        status = read_number(reader, place, "max_force", NUMBER_NOT_NEGATIVE, &action->max_force);
    }
    return status;
}

static abut_status read_force(const scene_reader *reader, const scene_place *place, abut_scene_action *action) {
    abut_status status = read_object(reader, place, SCENE_FORCE, "'force'");
    if (status == ABUT_OK) {
        status = find_moving_body(reader, place, "a force cannot push", false, &action->body);
    }
    if (status != ABUT_OK) {
        return status;
    }
    action->anchor = centre_of(&reader->scene->bodies[action->body]);
    status = read_vec3(reader, place, "force", &action->force);
    if (status == ABUT_OK) {
        status = read_vec3(reader, place, "anchor", &action->anchor);
    }
    return status;
}

static abut_status read_velocity(const scene_reader *reader, const scene_place *place, abut_scene_action *action) {
    abut_status status = read_object(reader, place, SCENE_VELOCITY, "'velocity'");
    if (status == ABUT_OK) {
        status = find_moving_body(reader, place, "nothing sets the velocity of", true, &action->body);
    }
    if (status != ABUT_OK) {
        return status;
    }
    if (reader->scene->bodies[action->body].motion >= 0) {
        scene_place member;
        read_member(place, "body", &member);
        return read_fail(reader, &member, "body '%s' moves by its 'motion'; nothing else sets its velocity",
                         reader->scene->bodies[action->body].name);
    }
    for (int32_t i = 0; i < reader->scene->servo_count; i++) {
        if (reader->scene->servos[i].body == action->body) {
            scene_place member;
            read_member(place, "body", &member);
            return read_fail(reader, &member, "body '%s' moves by its 'servo'; nothing else sets its velocity",
                             reader->scene->servos[i].name);
        }
    }
    action->sets_velocity = json_object_get(place->value, "velocity");
    action->sets_angular_velocity = json_object_get(place->value, "angular_velocity");
    if (!action->sets_velocity && !action->sets_angular_velocity) {
        return read_fail(reader, place, "'velocity' must have 'velocity' or 'angular_velocity' or both");
    }
    status = read_vec3(reader, place, "velocity", &action->velocity);
    if (status == ABUT_OK) {
        status = read_vec3(reader, place, "angular_velocity", &action->angular_velocity);
    }
    return status;
}

/* The duration ends a scene at a time. */
static abut_status read_stop(const scene_reader *reader, const scene_place *place, const scene_place *deed, abut_scene_action *action) {
    action->body = -1;
    if (!json_is_true(deed->value)) {
        return read_fail(reader, deed, "'stop' must be true");
    }
    return json_object_get(place->value, "when") ? ABUT_OK
                                                 : read_fail(reader, place, "'stop' needs a 'when'; 'duration' ends a scene at a time");
}

/* Reads the one key that selects the kind of the action. */
static abut_status read_deed(const scene_reader *reader, const scene_place *place, abut_scene_action *action) {
    static const char *const names[] = {"remove", "spring", "force", "velocity", "stop", "bond"};
    scene_place deed;
    int count = 0;
    for (int i = 0; i < 6; i++) {
        if (read_member(place, names[i], &deed)) {
            action->kind = (abut_action_kind)i;
            count++;
        }
    }
    if (count != 1) {
        return read_fail(reader, place,
                         "an action must have exactly one of 'remove', 'spring', 'force', 'velocity', 'stop' and 'bond', not %d", count);
    }
    read_member(place, names[action->kind], &deed);
    switch (action->kind) {
    case ABUT_ACTION_SPRING:
        return read_spring(reader, &deed, action);
    case ABUT_ACTION_FORCE:
        return read_force(reader, &deed, action);
    case ABUT_ACTION_VELOCITY:
        return read_velocity(reader, &deed, action);
    case ABUT_ACTION_STOP:
        return read_stop(reader, place, &deed, action);
    case ABUT_ACTION_BOND:
        return scene_read_bond(reader, &deed, action);
    default:
        return scene_named_body(reader, place, "remove", &action->body);
    }
}

/* ---- triggers ---- */

static abut_status find_series(const scene_reader *reader, const scene_place *when, int32_t *series) {
    const abut_scene *scene = reader->scene;
    const char *name = NULL;
    abut_status status = read_string(reader, when, "series", &name);
    if (status != ABUT_OK) {
        return status;
    }
    nearest_name nearest = {.mistyped = name};
    for (int32_t i = 0; i < scene->series_count; i++) {
        if (strcmp(scene->series[i], name) == 0) {
            *series = i;
            return ABUT_OK;
        }
        nearest_offer(&nearest, scene->series[i]);
    }
    char hint[128];
    scene_place place;
    read_member(when, "series", &place);
    return read_fail(reader, &place, "unknown series '%s'%s", name, nearest_hint(&nearest, hint, sizeof hint));
}

static abut_status read_rest(const scene_reader *reader, const scene_place *place, abut_scene_trigger *when) {
    if (reader->scene->world.stepper != ABUT_STEPPER_DEM) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, place, true, "'rest' is for the dem stepper: \"stepper\": {\"kind\": \"dem\"}");
    }
    when->kind = ABUT_TRIGGER_REST;
    return scene_dem_read_rest(reader, place, "'rest'", &when->rest);
}

static abut_status read_when(const scene_reader *reader, const scene_place *place, abut_scene_trigger *when) {
    scene_place rest;
    abut_status status = read_object(reader, place, SCENE_WHEN, "'when'");
    status = status == ABUT_OK ? read_number(reader, place, "after", NUMBER_NOT_NEGATIVE, &when->after) : status;
    if (status != ABUT_OK) {
        return status;
    }
    bool series = json_object_get(place->value, "series"), above = json_object_get(place->value, "above");
    bool below = json_object_get(place->value, "below"), rests = read_member(place, "rest", &rest);
    if (series == rests || series != (above || below) || (above && below)) {
        return read_fail(reader, place, "'when' must have 'rest', or 'series' and one of 'above' and 'below'");
    }
    if (rests) {
        return read_rest(reader, &rest, when);
    }
    when->kind = above ? ABUT_TRIGGER_ABOVE : ABUT_TRIGGER_BELOW;
    status = find_series(reader, place, &when->series);
    return status == ABUT_OK ? read_number(reader, place, above ? "above" : "below", NUMBER_ANY, &when->value) : status;
}

/* Reads "when" and "for". */
static abut_status read_trigger(const scene_reader *reader, const scene_place *place, const scene_place *when, abut_scene_action *action) {
    bool lasts = action->kind == ABUT_ACTION_SPRING || action->kind == ABUT_ACTION_FORCE;
    scene_place key;
    action->at = action->until = INFINITY;
    action->first_step = action->end_step = INT64_MAX;
    if (read_member(place, "until", &key)) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &key, true, "'until' is for actions with 'at'; use 'for'");
    }
    bool has_for = read_member(place, "for", &key);
    if (lasts != has_for) {
        return lasts ? read_fail(reader, place, "missing key 'for': springs and forces need an end")
                     : read_fail_as(reader, ABUT_ERROR_FORMAT, &key, true, "'for' is for 'spring' and 'force' only");
    }
    double length = 0.0;
    abut_status status = read_number(reader, place, "for", NUMBER_POSITIVE, &length);
    action->lasts = lasts ? (int64_t)fmax(1.0, (double)step_at(length, reader->scene->dt)) : 0;
    return status == ABUT_OK ? read_when(reader, when, &action->when) : status;
}

/* ---- times ---- */

/* Reads "at" and "until" and computes the steps from them. */
static abut_status read_times(scene_reader *reader, const scene_place *place, abut_scene_action *action) {
    const abut_scene *scene = reader->scene;
    bool lasts = action->kind == ABUT_ACTION_SPRING || action->kind == ABUT_ACTION_FORCE;
    scene_place at, until, when, length;
    bool triggered = read_member(place, "when", &when);
    if (read_member(place, "at", &at) == triggered) {
        return read_fail(reader, place, "an action must have exactly one of 'at' and 'when'");
    }
    if (triggered) {
        return read_trigger(reader, place, &when, action);
    }
    if (read_member(place, "for", &length)) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &length, true, "'for' is for actions with 'when'; use 'until'");
    }
    abut_status status = read_number_at(reader, &at, "at", NUMBER_NOT_NEGATIVE, &action->at);
    if (status != ABUT_OK) {
        return status;
    }
    action->until = action->at;
    bool has_until = read_member(place, "until", &until);
    if (lasts && !has_until) {
        return read_fail(reader, place, "missing key 'until': springs and forces need an end");
    }
    if (!lasts && has_until) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &until, true, "'until' is for 'spring' and 'force' only");
    }
    status = read_number(reader, place, "until", NUMBER_NOT_NEGATIVE, &action->until);
    if (status != ABUT_OK) {
        return status;
    }
    if (action->until < action->at) {
        return read_fail(reader, &until, "'until' %g is before 'at' %g", action->until, action->at);
    }
    action->first_step = step_at(action->at, scene->dt);
    int64_t end = step_at(action->until, scene->dt);
    action->end_step = end > action->first_step ? end : action->first_step + 1;
    if (action->first_step >= scene->step_count) {
        return read_warn(reader, &at, "this action never happens: it is at %g s, and the scene ends at %g s", action->at,
                         (double)scene->step_count * scene->dt);
    }
    return ABUT_OK;
}

static int by_step(const void *a, const void *b) {
    const timed_action *first = a, *second = b;
    if (first->action.first_step != second->action.first_step) {
        return first->action.first_step < second->action.first_step ? -1 : 1;
    }
    return first->index < second->index ? -1 : first->index > second->index;
}

/* No action may refer to a body after its removal. */
static abut_status check_removed(const scene_reader *reader, const scene_place *place, const timed_action *actions, size_t count) {
    const abut_scene *scene = reader->scene;
    bool *removed = calloc((size_t)scene->body_count, sizeof *removed);
    if (!removed) {
        return read_no_memory(reader);
    }
    abut_status status = ABUT_OK;
    for (size_t i = 0; status == ABUT_OK && i < count; i++) {
        const abut_scene_action *action = &actions[i].action;
        if (action->when.kind != ABUT_TRIGGER_TIME) {
            break; /* those with triggers are the last ones */
        }
        if (action->body < 0) {
            continue;
        }
        if (removed[action->body]) {
            scene_place element = read_element(place, actions[i].index);
            status = read_fail(reader, &element, "body '%s' has been removed before %g s", scene->bodies[action->body].name, action->at);
        }
        removed[action->body] = action->kind == ABUT_ACTION_REMOVE;
    }
    free(removed);
    return status;
}

static abut_status read_into(scene_reader *reader, const scene_place *place, timed_action *actions, size_t count) {
    for (size_t i = 0; i < count; i++) {
        scene_place element = read_element(place, i);
        actions[i].index = i;
        abut_status status = read_object(reader, &element, SCENE_ACTION, "action");
        if (status == ABUT_OK) {
            status = read_deed(reader, &element, &actions[i].action);
        }
        if (status == ABUT_OK) {
            status = read_times(reader, &element, &actions[i].action);
        }
        if (status != ABUT_OK) {
            return status;
        }
    }
    qsort(actions, count, sizeof *actions, by_step);
    return check_removed(reader, place, actions, count);
}

abut_status scene_read_actions(scene_reader *reader) {
    abut_scene *scene = reader->scene;
    scene_place place;
    if (!read_member(&reader->root, "actions", &place)) {
        return ABUT_OK;
    }
    abut_status status = read_array(reader, &place, 0, "actions");
    if (status != ABUT_OK || json_array_size(place.value) == 0) {
        return status;
    }
    size_t count = json_array_size(place.value);
    timed_action *actions = calloc(count, sizeof *actions);
    scene->actions = calloc(count, sizeof *scene->actions);
    if (!actions || !scene->actions) {
        free(actions);
        return read_no_memory(reader);
    }
    status = read_into(reader, &place, actions, count);
    for (size_t i = 0; status == ABUT_OK && i < count; i++) {
        scene->actions[i] = actions[i].action;
        scene->action_count++;
        scene->timed_count += actions[i].action.when.kind == ABUT_TRIGGER_TIME;
    }
    free(actions);
    return status;
}
