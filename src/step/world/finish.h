#pragma once

#include "step/world/world.h"

/* What a stepper counts and measures while it makes a step. */
typedef struct step_account {
    double begin;         /* clock_now() at the begin of the step */
    double broad, narrow; /* seconds for candidate pairs, and for contacts */
    int32_t candidates;
} step_account;

/* The end of a step, the same for all steppers; the bodies have their new state. Makes world->next the world's contacts and broad.found its pairs, advances
 * the step count and the time, and writes the whole report. The parts `event` and `dem` of the report are zero. */
void step_finish(abut_world *world, double dt, const step_account *account, abut_step_report *report);
