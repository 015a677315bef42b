#pragma once

#include "step/world.h"

/* One step of the fixed stepper: abut_world_step() without its checks. report is never NULL. */
abut_status fixed_step(abut_world *world, double dt, abut_step_report *report);

/* What both steppers do: the candidates of a step in broad.found; and its contacts, work.next, and its pairs made the world's own. */
abut_status fixed_find_pairs(abut_world *world, double dt);
void fixed_commit_contacts(abut_world *world);
