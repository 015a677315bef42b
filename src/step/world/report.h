#pragma once

#include "step/world/world.h"

/* Write the whole report from the world as it is; candidates and times are zero. */
void report_fill(const abut_world *world, abut_step_report *report);
