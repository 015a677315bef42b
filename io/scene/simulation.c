/*
 * Steps a scene: at the start of each step it empties outlets, performs actions, feeds inlets, then gives bodies that deform their shapes of the step's end,
 * then steps the world.
 */
#include "io/scene/simulation_data.h"

#include <stdlib.h>

#include <abut/mesh.h>

#include "io/scene/grain/feed.h"
#include "io/scene/process/motion.h"
#include "io/scene/process/running.h"
#include "io/scene/process/servo.h"
#include "io/scene/start.h"

static abut_vec3 centre_of(const abut_cell_node *nodes, int32_t count) {
    abut_vec3 sum = {0.0, 0.0, 0.0};
    double mass = 0.0;
    for (int32_t i = 0; i < count; i++) {
        sum = abut_add_scaled(sum, nodes[i].mass, nodes[i].position);
        mass += nodes[i].mass;
    }
    return abut_scale(1.0 / mass, sum);
}

/* Puts the nodes of a cell where a recording had them, with the velocities of a rigid body. */
static abut_status place_nodes(abut_world *world, abut_body_id id, const scene_body *body) {
    int32_t count = abut_shape_vertex_count(body->def.shape);
    abut_cell_node *nodes = calloc((size_t)count + 1, sizeof *nodes);
    abut_status status = nodes ? abut_world_cell_nodes(world, id, nodes, count, &count) : ABUT_ERROR_OUT_OF_MEMORY;
    for (int32_t i = 0; i < count && status == ABUT_OK; i++) {
        nodes[i].position = abut_pose_apply(body->def.pose, body->vertices[i]);
    }
    if (status == ABUT_OK) {
        const abut_vec3 centre = centre_of(nodes, count);
        for (int32_t i = 0; i < count; i++) {
            abut_vec3 turning = abut_cross(body->def.motion.angular, abut_sub(nodes[i].position, centre));
            nodes[i].velocity = abut_add(body->def.motion.linear, turning);
        }
        status = abut_world_set_cell_nodes(world, id, nodes, count);
    }
    free(nodes);
    return status;
}

abut_status simulation_add_body(abut_simulation *simulation, int32_t index) {
    const scene_body *body = &simulation->scene->bodies[index];
    const abut_cell_def *cell = abut_scene_body_cell(simulation->scene, index);
    abut_body_id *id = &simulation->bodies[index];
    abut_status status = abut_world_add_body(simulation->world, &body->def, id);
    status = status == ABUT_OK && cell ? abut_world_make_cell(simulation->world, *id, cell) : status;
    return status == ABUT_OK && cell && body->vertices ? place_nodes(simulation->world, *id, body) : status;
}

static abut_status add_bodies(abut_simulation *simulation, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    for (int32_t i = 0; i < abut_scene_body_count(scene); i++) {
        if (scene->bodies[i].inlet >= 0 && !(scene->start.presence && scene->start.presence[i] != START_OWN)) {
            continue; /* it comes later */
        }
        abut_status status = simulation_add_body(simulation, i);
        if (status != ABUT_OK) {
            return abut_fail(error, status, "%s: body '%s': %s", abut_scene_path(scene), abut_scene_body_name(scene, i),
                             abut_status_message(status));
        }
    }
    return ABUT_OK;
}

static abut_status add_joints(abut_simulation *simulation, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    for (int32_t i = 0; i < abut_scene_joint_count(scene); i++) {
        const abut_scene_joint *joint = abut_scene_get_joint(scene, i);
        abut_joint_def def = joint->def;
        def.a = simulation->bodies[joint->a];
        def.b = simulation->bodies[joint->b];
        abut_status status = abut_world_add_joint(simulation->world, &def, &simulation->joints[i]);
        if (status != ABUT_OK) {
            return abut_fail(error, status, "%s: joint %d: %s", abut_scene_path(scene), (int)i, abut_status_message(status));
        }
    }
    return ABUT_OK;
}

/* Takes away the bodies that are gone when a scene goes on from a recording: their joints need them first, and an inlet is past them. */
static abut_status remove_gone(abut_simulation *simulation, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    for (int32_t i = 0; i < scene->body_count && scene->start.presence; i++) {
        if (scene->start.presence[i] == START_GONE) {
            abut_status status = abut_world_remove_body(simulation->world, simulation->bodies[i]);
            if (status != ABUT_OK) {
                return abut_fail(error, status, "%s: body '%s': %s", scene->path, scene->bodies[i].name, abut_status_message(status));
            }
        }
    }
    return ABUT_OK;
}

static abut_status exclude_pairs(abut_simulation *simulation, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    for (int32_t i = 0; i < abut_scene_excluded_count(scene); i++) {
        const abut_scene_pair *pair = abut_scene_get_excluded(scene, i);
        abut_status status = abut_world_exclude_pair(simulation->world, simulation->bodies[pair->a], simulation->bodies[pair->b]);
        if (status != ABUT_OK) {
            return abut_fail(error, status, "%s: pair %d of 'never_touch': %s", abut_scene_path(scene), (int)i,
                             abut_status_message(status));
        }
    }
    return ABUT_OK;
}

abut_status simulation_make(const abut_scene *scene, abut_simulation **simulation, abut_error *error) {
    abut_simulation *made = calloc(1, sizeof *made);
    if (!made) {
        return abut_fail(error, ABUT_ERROR_OUT_OF_MEMORY, "%s: no memory for the simulation", abut_scene_path(scene));
    }
    made->scene = scene;
    made->bodies = calloc((size_t)abut_scene_body_count(scene) + 1, sizeof *made->bodies);
    made->joints = calloc((size_t)abut_scene_joint_count(scene) + 1, sizeof *made->joints);
    made->lasting = calloc((size_t)abut_scene_action_count(scene) + 1, sizeof *made->lasting);
    made->shaped = calloc((size_t)abut_scene_body_count(scene) + 1, sizeof *made->shaped);
    made->fired = calloc((size_t)abut_scene_action_count(scene) + 1, sizeof *made->fired);
    bool memory = made->fired && made->bodies && made->joints && made->lasting && made->shaped && simulation_prepare_measures(made);
    for (int32_t i = 0; memory && i < abut_scene_body_count(scene); i++) {
        made->shaped[i] = -1;
    }
    for (int32_t i = 0; memory && i < abut_scene_action_count(scene); i++) {
        made->fired[i] = FIRED_NOT_YET;
    }
    abut_status status = memory ? abut_world_create(abut_scene_world_def(scene), &made->world) : ABUT_ERROR_OUT_OF_MEMORY;
    if (status != ABUT_OK) {
        abut_fail(error, status, "%s: the world: %s", abut_scene_path(scene), abut_status_message(status));
    } else {
        status = add_bodies(made, error);
        status = status == ABUT_OK ? exclude_pairs(made, error) : status;
        status = status == ABUT_OK ? add_joints(made, error) : status;
        status = status == ABUT_OK ? remove_gone(made, error) : status;
    }
    if (status == ABUT_OK) {
        status = simulation_deform_bodies(made, 0, error);
    }
    if (status == ABUT_OK) {
        simulation_measure(made, 0.0);
        simulation_pull_triggers(made, NULL);
    }
    if (status != ABUT_OK) {
        abut_simulation_destroy(made);
        return status;
    }
    *simulation = made;
    return ABUT_OK;
}

abut_status abut_simulation_create(const abut_scene *scene, abut_simulation **simulation, abut_error *error) {
    if (!scene || !simulation) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "abut_simulation_create: scene or simulation is NULL");
    }
    if (scene->start.recording && !scene->start.presence) {
        return scene_start_fail(scene, ABUT_ERROR_UNSUPPORTED, false, error,
                                "the scene goes on from the recording '%s', which was not read", scene->start.given);
    }
    return simulation_make(scene, simulation, error);
}

void abut_simulation_destroy(abut_simulation *simulation) {
    if (simulation) {
        abut_world_destroy(simulation->world);
        free(simulation->bodies);
        free(simulation->joints);
        free(simulation->lasting);
        free(simulation->shaped);
        free(simulation->fired);
        free(simulation->series);
        free(simulation->volumes);
        free(simulation->centres);
        free(simulation);
    }
}

bool simulation_rests(const abut_scene_until *rest, const abut_step_report *report) {
    double elastic = report->dem.elastic_energy + report->dem.spring_energy;
    return report->dem.residual <= rest->residual && report->kinetic_energy <= rest->kinetic * elastic;
}

/* A scene is not at rest while actions or bodies are still to come or springs and forces act. */
static bool is_at_rest(const abut_simulation *simulation, const abut_step_report *report) {
    const abut_scene_until *until = abut_scene_get_until(simulation->scene);
    bool done = simulation->next_action == simulation->scene->timed_count;
    for (int32_t i = 0; i < simulation->lasting_count; i++) {
        done = done && simulation->step >= simulation->lasting[i].end;
    }
    for (int32_t i = 0; i < simulation->scene->inlet_count && done; i++) {
        done = simulation_placed(simulation, &simulation->scene->inlets[i]) == simulation->scene->inlets[i].count;
    }
    for (int32_t i = simulation->scene->timed_count; i < simulation->scene->action_count; i++) {
        done = done && (simulation->scene->actions[i].kind == ABUT_ACTION_STOP || simulation->fired[i] <= FIRED_NEVER);
    }
    return until && done && simulation_rests(until, report);
}

abut_status abut_simulation_step(abut_simulation *simulation, abut_step_report *report, abut_error *error) {
    if (!simulation) {
        return abut_fail(error, ABUT_ERROR_INVALID_ARGUMENT, "abut_simulation_step: simulation is NULL");
    }
    abut_status status = simulation_drain(simulation, error);
    if (status == ABUT_OK) {
        status = simulation_perform_actions(simulation, error);
    }
    if (status == ABUT_OK) {
        status = simulation_feed(simulation, error);
    }
    if (status == ABUT_OK) {
        status = simulation_deform_bodies(simulation, simulation->step + 1, error);
    }
    if (status != ABUT_OK) {
        return status;
    }
    status = simulation_press(simulation, error);
    status = status == ABUT_OK ? simulation_move_bodies(simulation, error) : status;
    if (status != ABUT_OK) {
        return status;
    }
    simulation_note_centres(simulation);
    abut_step_report made;
    status = abut_world_step(simulation->world, abut_scene_dt(simulation->scene), &made);
    if (status != ABUT_OK) {
        return abut_fail(error, status, "%s: step %lld at %g s: %s", abut_scene_path(simulation->scene), (long long)simulation->step,
                         abut_simulation_time(simulation), abut_status_message(status));
    }
    simulation->step++;
    simulation_measure(simulation, abut_scene_dt(simulation->scene));
    simulation_pull_triggers(simulation, &made);
    simulation->at_rest = is_at_rest(simulation, &made);
    if (report) {
        *report = made;
    }
    return ABUT_OK;
}

abut_status abut_simulation_first_report(const abut_simulation *simulation, abut_step_report *report) {
    if (!simulation || !report) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    return abut_world_report(simulation->world, report);
}

/* ---- asking ---- */

const abut_scene *abut_simulation_scene(const abut_simulation *simulation) { return simulation->scene; }

abut_world *abut_simulation_world(const abut_simulation *simulation) { return simulation->world; }

abut_body_id abut_simulation_body_id(const abut_simulation *simulation, int32_t index) {
    abut_body_id none = {0, 0};
    return index >= 0 && index < abut_scene_body_count(simulation->scene) ? simulation->bodies[index] : none;
}

abut_joint_id abut_simulation_joint_id(const abut_simulation *simulation, int32_t index) {
    abut_joint_id none = {0, 0};
    return index >= 0 && index < abut_scene_joint_count(simulation->scene) ? simulation->joints[index] : none;
}

abut_status abut_simulation_inlet(const abut_simulation *simulation, int32_t index, abut_inlet_state *state) {
    if (!simulation || !state || index < 0 || index >= simulation->scene->inlet_count) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const scene_inlet *inlet = &simulation->scene->inlets[index];
    int32_t placed = simulation_placed(simulation, inlet);
    /* `step` is the step after the last one. */
    int32_t due = simulation->step > 0 ? simulation_due_at(inlet, simulation->step - 1, simulation->scene->dt) : 0;
    *state = (abut_inlet_state){due > placed ? due : placed, placed, placed > 0 ? inlet->mass[placed - 1] : 0.0};
    return ABUT_OK;
}

int64_t abut_simulation_step_index(const abut_simulation *simulation) { return simulation->step; }

int64_t abut_simulation_shape_step(const abut_simulation *simulation, int32_t index) {
    bool deforms = index >= 0 && index < abut_scene_body_count(simulation->scene) && simulation->scene->bodies[index].deform >= 0;
    return deforms ? simulation->shaped[index] : 0;
}

double abut_simulation_time(const abut_simulation *simulation) { return (double)simulation->step * abut_scene_dt(simulation->scene); }

bool abut_simulation_at_rest(const abut_simulation *simulation) { return simulation->at_rest; }

bool abut_simulation_stopped(const abut_simulation *simulation) { return simulation->stopped; }

bool abut_simulation_finished(const abut_simulation *simulation) {
    return simulation->at_rest || simulation->stopped || simulation->step >= abut_scene_step_count(simulation->scene);
}
