/*
 * Bodies that deform in a simulation: before each step they get the shape that they have at the step's end.
 */
#include "io/scene/simulation_data.h"

static double time_after(const abut_simulation *simulation, int64_t steps) { return (double)steps * abut_scene_dt(simulation->scene); }

abut_status simulation_deform_body(abut_simulation *simulation, int32_t index, int64_t steps, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    const scene_body *body = &scene->bodies[index];
    double time = time_after(simulation, steps);
    abut_body_info info;
    if (abut_world_body_info(simulation->world, simulation->bodies[index], &info) == ABUT_ERROR_STALE_ID) { /* removed */
        return ABUT_OK;
    }
    abut_facetmesh_report report;
    abut_shape *moved = NULL;
    abut_status status = deform_make(&scene->deforms[body->deform], time, body->def.shape, &report, &moved);
    if (status == ABUT_OK) {
        status = abut_world_set_body_shape(simulation->world, simulation->bodies[index], moved);
        abut_shape_release(moved);
    }
    if (status != ABUT_OK) {
        return abut_fail(error, status, "%s: body '%s', as deformed at %g s: %s", abut_scene_path(scene), body->name, time,
                         abut_status_message(status));
    }
    simulation->shaped[index] = steps;
    return ABUT_OK;
}

static bool has_shape_after(const abut_simulation *simulation, int32_t index, int64_t steps) {
    const deform_program *program = &simulation->scene->deforms[simulation->scene->bodies[index].deform];
    int64_t shaped = simulation->shaped[index];
    return shaped >= 0 && deform_is_same(program, time_after(simulation, shaped), time_after(simulation, steps));
}

abut_status simulation_deform_bodies(abut_simulation *simulation, int64_t steps, abut_error *error) {
    const abut_scene *scene = simulation->scene;
    abut_status status = ABUT_OK;
    for (int32_t i = 0; status == ABUT_OK && scene->deform_count > 0 && i < scene->body_count; i++) {
        bool has_it = scene->bodies[i].deform < 0 || has_shape_after(simulation, i, steps);
        status = has_it ? ABUT_OK : simulation_deform_body(simulation, i, steps, error);
    }
    return status;
}

int32_t simulation_deforming_count(const abut_scene *scene) {
    int32_t count = 0;
    for (int32_t i = 0; scene->deform_count > 0 && i < scene->body_count; i++) {
        count += scene->bodies[i].deform >= 0 ? 1 : 0;
    }
    return count;
}
