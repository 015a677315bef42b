#pragma once

#include "step/world/world.h"

/* Remove all springs of the body in a slot. */
void springs_remove_of(abut_world *world, int32_t slot);
