#pragma once

#include "step/world/world.h"

/* One step of the fixed stepper: abut_world_step() without its checks. report is never NULL. */
abut_status fixed_step(abut_world *world, double dt, abut_step_report *report);

/* What both steppers do at the end of a step: its contacts, work.next, and its pairs, broad.found, are the world's own from now on. */
void fixed_commit_contacts(abut_world *world);
