#pragma once

#include "io/scene/scene.h"
#include "io/scene/simulation.h"

/*
 * The figures of a run: summed up step by step, printed at the end.
 */

/* How many neighbours (bodies in contact) the dynamic bodies have at the end. */
typedef struct run_coordination {
    int32_t bodies, loose; /* all dynamic bodies; loose ones, with fewer than two neighbours */
    int64_t touches,
        bound; /* neighbours, summed over all dynamic bodies; over those that are not loose, without pairs that have a loose body */
} run_coordination;

/* Bodies of one kind of trouble: sunk, engulfed, or gone through another body (abut_step_report). */
typedef struct run_trouble {
    int32_t most;  /* at the end of a step; of those that left: in all steps */
    int32_t first; /* index in the scene of the first body */
    double time;   /* at which it was counted [s] */
} run_trouble;

/* The elastic cells of the scene that are there at the end. Volumes are relative to those of their shapes. */
typedef struct run_cells {
    int32_t count;
    double least_volume, most_volume, least_pressure, most_pressure;
} run_cells;

typedef struct run_figures {
    int64_t steps, wanted;
    int64_t before; /* steps made before the run was resumed; the sums below do not include them */
    abut_step_report first, last;
    double contact_sum, penetration;
    int32_t most_contacts;
    int64_t deepest_step;
    run_trouble sunk, engulfed, left;
    abut_event_report event;
    abut_dem_report dem; /* counters and work summed over the steps; other fields are not used */
    run_coordination coordination;
    run_cells cells;
    abut_inlet_state *inlets;               /* [inlets of the scene] at the end; NULL without any */
    abut_outlet_state *outlets;             /* [outlets of the scene] the same */
    bool stopped;                           /* a "stop" of the scene ended the run */
    bool at_rest;                           /* the scene's "until" ended the run */
    double broad, narrow, solve, recording; /* wall time [s] */
    double processor;                       /* processor time of the steps [s] */
    double begun, ended;
    int64_t checkpoints;  /* count */
    double checkpointing; /* wall time for writing them [s] */
} run_figures;

/* Add the step that the simulation has just made. processor: its processor time [s]. */
void run_figures_add(run_figures *figures, const abut_simulation *simulation, const abut_step_report *report, double processor);

/* Count neighbours at the end, for the dem stepper only. Counts nothing when there is no memory. */
void run_figures_coordinate(run_figures *figures, const abut_simulation *simulation);

/* Ask inlets and outlets at the end. Asks nothing when there is no memory. */
void run_figures_take_flows(run_figures *figures, const abut_simulation *simulation);

/* Ask elastic cells at the end. */
void run_figures_take_cells(run_figures *figures, const abut_simulation *simulation);

/* Print the table on the standard output. recording: its path, or NULL. */
void run_figures_print(const run_figures *figures, const abut_scene *scene, const char *recording);

void run_figures_release(run_figures *figures);
