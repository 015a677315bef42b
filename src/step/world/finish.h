#pragma once

#include "step/world/world.h"

/* Counts and times that a stepper collects during a step. */
typedef struct step_account {
    double begin;         /* clock_now() at the start of the step */
    double broad, narrow; /* seconds spent on candidate pairs and on contacts */
    int32_t candidates;
} step_account;

/* Finish a step, after the stepper has written the bodies. world->next becomes the world's contacts, and broad.found its pairs. Advances the step count
 * and the time, and writes the whole report; its parts `event` and `dem` are zero, and the stepper sets them afterwards. */
void step_finish(abut_world *world, double dt, const step_account *account, abut_step_report *report);
