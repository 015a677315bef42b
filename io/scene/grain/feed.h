#pragma once

#include "io/scene/simulation.h"

/* Adds the bodies of all inlets that are due at the start of the present step, and those that found no room before, as far as there is room. */
abut_status simulation_feed(abut_simulation *simulation, abut_error *error);
