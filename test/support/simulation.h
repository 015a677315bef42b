#pragma once

#include <math.h>

#include "io/scene/simulation.h"
#include "support/io_files.h"

/*
 * Simulations of scenes from text, for the tests of scenes. The test fails where the scene is wrong or a step fails.
 */

static inline abut_simulation *start_simulation(const char *text, abut_scene **scene) {
    abut_simulation *simulation = NULL;
    abut_error error = {ABUT_OK, ""};
    *scene = right_scene(text);
    if (abut_simulation_create(*scene, &simulation, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    return simulation;
}

static inline abut_step_report step_simulation(abut_simulation *simulation) {
    abut_error error = {ABUT_OK, ""};
    abut_step_report report = {0};
    if (abut_simulation_step(simulation, &report, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    return report;
}

static inline void step_simulation_by(abut_simulation *simulation, int steps) {
    for (int i = 0; i < steps; i++) {
        step_simulation(simulation);
    }
}

/* The present value of a time series. */
static inline double series_of(const abut_simulation *simulation, const char *name) {
    const abut_scene *scene = abut_simulation_scene(simulation);
    for (int32_t i = 0; i < abut_scene_series_count(scene); i++) {
        if (strcmp(abut_scene_series_name(scene, i), name) == 0) {
            return abut_simulation_series(simulation)[i];
        }
    }
    fail_msg("no series '%s'", name);
    return NAN;
}

static inline void finish_simulation(abut_simulation *simulation, abut_scene *scene) {
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}
