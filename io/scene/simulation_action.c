/*
 * Actions of a scene in a simulation: those that begin with a step are performed in their order, those with triggers after those with times, then those that
 * last are applied or ended. Triggers are asked after each step.
 */
#include <stdlib.h>

#include "io/scene/simulation_data.h"

/* The target of a spring in step `step`. In the last step of the spring it is at target_end. */
static abut_vec3 target_in_step(const lasting_action *lasting, int64_t step) {
    const abut_scene_action *action = lasting->action;
    double part = (double)(step - lasting->first + 1) / (double)(lasting->end - lasting->first);
    return part < 1.0 ? abut_lerp(action->target, action->target_end, part) : action->target_end;
}

lasting_action simulation_lasting(const abut_scene_action *action, int64_t begins) {
    bool triggered = action->when.kind != ABUT_TRIGGER_TIME;
    return (lasting_action){action, {0, 0}, triggered ? begins : action->first_step, triggered ? begins + action->lasts : action->end_step};
}

static abut_status begin_spring(abut_simulation *simulation, const abut_scene_action *action) {
    abut_spring_def def = abut_spring_def_default();
    def.body = simulation->bodies[action->body];
    def.anchor = action->anchor;
    lasting_action lasting = simulation_lasting(action, simulation->step);
    def.target = target_in_step(&lasting, lasting.first);
    def.frequency = action->frequency;
    def.damping_ratio = action->damping_ratio;
    def.max_force = action->max_force;
    abut_status status = abut_world_add_spring(simulation->world, &def, &lasting.spring);
    if (status == ABUT_OK) {
        simulation->lasting[simulation->lasting_count++] = lasting;
    }
    return status;
}

static abut_status set_velocity(abut_simulation *simulation, const abut_scene_action *action) {
    abut_body_id body = simulation->bodies[action->body];
    abut_body_state state;
    abut_status status = abut_world_body_state(simulation->world, body, &state);
    if (status != ABUT_OK) {
        return status;
    }
    return abut_world_set_body_motion(simulation->world, body,
                                      (abut_motion){action->sets_velocity ? action->velocity : state.motion.linear,
                                                    action->sets_angular_velocity ? action->angular_velocity : state.motion.angular});
}

/* Bodies that have not come yet, and those that are gone, are left out. */
static abut_status make_bonds(abut_simulation *simulation, const abut_scene_action *action) {
    const abut_scene *scene = simulation->scene;
    abut_body_id *ids = calloc((size_t)scene->body_count + 1, sizeof *ids);
    int32_t count = 0;
    if (!ids) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < scene->body_count; i++) {
        if (action->element < 0 || scene->bodies[i].element == action->element) {
            ids[count++] = simulation->bodies[i];
        }
    }
    abut_status status = abut_world_bond_near(simulation->world, ids, count, action->gap, &action->bond, NULL);
    free(ids);
    return status;
}

static abut_status begin(abut_simulation *simulation, const abut_scene_action *action) {
    switch (action->kind) {
    case ABUT_ACTION_REMOVE:
        return abut_world_remove_body(simulation->world, simulation->bodies[action->body]);
    case ABUT_ACTION_SPRING:
        return begin_spring(simulation, action);
    case ABUT_ACTION_FORCE:
        simulation->lasting[simulation->lasting_count++] = simulation_lasting(action, simulation->step);
        return ABUT_OK;
    case ABUT_ACTION_VELOCITY:
        return set_velocity(simulation, action);
    case ABUT_ACTION_STOP:
        return ABUT_OK; /* it has acted already: simulation_pull_triggers() */
    case ABUT_ACTION_BOND:
        return make_bonds(simulation, action);
    }
    return ABUT_ERROR_INTERNAL;
}

static abut_status push(abut_simulation *simulation, const abut_scene_action *action) {
    abut_body_id body = simulation->bodies[action->body];
    abut_body_state state;
    abut_status status = abut_world_body_state(simulation->world, body, &state);
    if (status != ABUT_OK) {
        return status;
    }
    return abut_world_apply_force(simulation->world, body, action->force, abut_pose_apply(state.pose, action->anchor));
}

/* Applies or ends the springs and forces that last. A stale id means that the body and its springs were removed meanwhile, which ends the action too. */
static abut_status carry_on(abut_simulation *simulation) {
    int32_t kept = 0;
    for (int32_t i = 0; i < simulation->lasting_count; i++) {
        lasting_action lasting = simulation->lasting[i];
        bool spring = lasting.action->kind == ABUT_ACTION_SPRING, ended = simulation->step >= lasting.end;
        abut_status status = ABUT_OK;
        if (spring && ended) {
            status = abut_world_remove_spring(simulation->world, lasting.spring);
        } else if (spring && simulation->step > lasting.first) {
            status = abut_world_set_spring_target(simulation->world, lasting.spring, target_in_step(&lasting, simulation->step));
        } else if (!spring && !ended) {
            status = push(simulation, lasting.action);
        }
        if (status != ABUT_OK && status != ABUT_ERROR_STALE_ID) {
            return status;
        }
        if (!ended && status == ABUT_OK) {
            simulation->lasting[kept++] = lasting;
        }
    }
    simulation->lasting_count = kept;
    return ABUT_OK;
}

/* ---- triggers ---- */

static bool is_met(const abut_simulation *simulation, const abut_scene_trigger *when, const abut_step_report *report) {
    if (((double)simulation->step + 1e-9) * simulation->scene->dt < when->after) {
        return false;
    }
    switch (when->kind) {
    case ABUT_TRIGGER_REST:
        return report && simulation_rests(&when->rest, report);
    case ABUT_TRIGGER_ABOVE:
        return simulation->series[when->series] >= when->value;
    case ABUT_TRIGGER_BELOW:
        return simulation->series[when->series] <= when->value;
    case ABUT_TRIGGER_TIME:
        break;
    }
    return false;
}

void simulation_pull_triggers(abut_simulation *simulation, const abut_step_report *report) {
    const abut_scene *scene = simulation->scene;
    for (int32_t i = scene->timed_count; i < scene->action_count; i++) {
        if (simulation->fired[i] == FIRED_NOT_YET && is_met(simulation, &scene->actions[i].when, report)) {
            simulation->fired[i] = simulation->step;
            simulation->stopped = simulation->stopped || scene->actions[i].kind == ABUT_ACTION_STOP;
        }
    }
}

/* ---- all ---- */

static abut_status perform(abut_simulation *simulation, const abut_scene_action *action, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    abut_status status = begin(simulation, action);
    if (status != ABUT_OK && status != ABUT_ERROR_STALE_ID) { /* a caller or an outlet may have removed the body */
        if (action->body < 0) {
            return abut_fail(error, status, "%s: action at %g s: %s", abut_scene_path(scene), abut_simulation_time(simulation),
                             abut_status_message(status));
        }
        return abut_fail(error, status, "%s: action at %g s on body '%s': %s", abut_scene_path(scene), abut_simulation_time(simulation),
                         abut_scene_body_name(scene, action->body), abut_status_message(status));
    }
    return ABUT_OK;
}

abut_status simulation_perform_actions(abut_simulation *simulation, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    while (simulation->next_action < scene->timed_count) {
        const abut_scene_action *action = abut_scene_get_action(scene, simulation->next_action);
        if (action->first_step > simulation->step) {
            break;
        }
        simulation->next_action++;
        abut_status status = perform(simulation, action, error);
        if (status != ABUT_OK) {
            return status;
        }
    }
    for (int32_t i = scene->timed_count; i < scene->action_count; i++) {
        if (simulation->fired[i] < 0) {
            continue;
        }
        simulation->fired[i] = FIRED_BEGUN - simulation->step;
        abut_status status = perform(simulation, &scene->actions[i], error);
        if (status != ABUT_OK) {
            return status;
        }
    }
    abut_status status = carry_on(simulation);
    if (status != ABUT_OK) {
        return abut_fail(error, status, "%s: springs and forces at %g s: %s", abut_scene_path(scene), abut_simulation_time(simulation),
                         abut_status_message(status));
    }
    return ABUT_OK;
}

void abut_simulation_leave_out_actions(abut_simulation *simulation) {
    for (int32_t i = 0; i < simulation->lasting_count; i++) {
        if (simulation->lasting[i].action->kind == ABUT_ACTION_SPRING) {
            (void)abut_world_remove_spring(simulation->world,
                                           simulation->lasting[i].spring); /* fails harmlessly when the body was removed */
        }
    }
    simulation->lasting_count = 0;
    simulation->next_action = simulation->scene->timed_count;
    for (int32_t i = simulation->scene->timed_count; i < simulation->scene->action_count; i++) {
        simulation->fired[i] = FIRED_NEVER;
    }
}
