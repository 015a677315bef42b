#pragma once

#include "scene.h"

/*
 * The figures of a run, summed up while it goes on and told at its end.
 */

typedef struct run_figures {
    int64_t steps, wanted;
    abut_step_report first, last;
    double contact_sum, penetration;
    int32_t most_contacts;
    int64_t deepest_step;
    abut_event_report event;
    double broad, narrow, solve, recording; /* seconds */
    double processor;                       /* seconds of it that the steps took */
    double begun, ended;
} run_figures;

/* Add a step, and the processor time that it took. */
void run_figures_add(run_figures *figures, const abut_step_report *report, double processor);

/* On the standard output. recording: its path; NULL for none. */
void run_figures_print(const run_figures *figures, const abut_scene *scene, const char *recording);
