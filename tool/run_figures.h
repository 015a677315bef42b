#pragma once

#include "io/scene/scene.h"
#include "io/scene/simulation.h"

/*
 * The figures of a run, summed up while it goes on and told at its end.
 */

/* How many others a dynamic body touches at the end. */
typedef struct run_coordination {
    int32_t bodies, loose;  /* dynamic ones; those of them that touch one other at most */
    int64_t touches, bound; /* sums over all of them; over those that are not loose, of touches that are not with loose ones */
} run_coordination;

typedef struct run_figures {
    int64_t steps, wanted;
    int64_t
        before; /* of the steps, those that were made before the run went on from a checkpoint: of the figures below only the first and last count them */
    abut_step_report first, last;
    double contact_sum, penetration;
    int32_t most_contacts;
    int64_t deepest_step;
    abut_event_report event;
    abut_dem_report dem; /* sums, where sums mean something */
    run_coordination coordination;
    bool at_rest;                           /* before the last of the wanted steps, by the scene's "until" */
    double broad, narrow, solve, recording; /* seconds */
    double processor;                       /* seconds of it that the steps took */
    double begun, ended;
    int64_t checkpoints;  /* written */
    double checkpointing; /* seconds that they took */
} run_figures;

/* Add a step, and the processor time that it took. */
void run_figures_add(run_figures *figures, const abut_step_report *report, double processor);

/* Of a world of the dem stepper: count who touches whom at the end. Without memory for it, nothing is counted. */
void run_figures_coordinate(run_figures *figures, const abut_simulation *simulation);

/* On the standard output. recording: its path; NULL for none. */
void run_figures_print(const run_figures *figures, const abut_scene *scene, const char *recording);
