#pragma once

#include <abut/world.h>

/*
 * Worlds and bodies in one expression each. The test fails where the library refuses one.
 */

/* With the defaults and one thread. Destroy it with abut_world_destroy(). */
abut_world *world_of(abut_stepper stepper);

/* Takes over the shape. */
abut_body_id put(abut_world *world, abut_body_kind kind, abut_shape *shape, abut_pose pose);
