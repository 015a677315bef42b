#pragma once

#include "step/world/world.h"

/* Write a report on the present state of the world. Zero are the wall times, `candidates`, `event` and `dem`. */
void report_fill(const abut_world *world, abut_step_report *report);
