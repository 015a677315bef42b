#pragma once

#include "step/world.h"

/* One step of the fixed stepper: abut_world_step() without its checks. report is never NULL. */
abut_status fixed_step(abut_world *world, double dt, abut_step_report *report);
