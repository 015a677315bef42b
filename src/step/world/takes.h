#pragma once

#include "step/world/world.h"

/*
 * Which bodies the stepper of a world takes. A body that it does not take is refused wherever it is, so that a run does not fail in its midst.
 */

/* Whether the stepper takes a body; if not, the log is told why. ABUT_OK; ABUT_ERROR_UNSUPPORTED_PAIR. */
abut_status world_takes_body(const abut_world *world, int32_t slot);

/* The same for all bodies: the first that is refused. */
abut_status world_takes_bodies(const abut_world *world);
