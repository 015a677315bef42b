#pragma once

#include <abut/collide.h>
#include <abut/world.h>

/*
 * Worlds and bodies in one expression each. The test fails where the library refuses one.
 */

/* With the defaults and one thread; the second one without gravity, for the fixed stepper. Destroy it with abut_world_destroy(). */
abut_world *world_of(abut_stepper stepper);
abut_world *floating_world(void);
/* With this definition. */
abut_world *open_world(abut_world_def def);

/* Take over the shape. The first one puts it into the definition. */
abut_body_id put_as(abut_world *world, abut_body_def def, abut_shape *shape);
abut_body_id put(abut_world *world, abut_body_kind kind, abut_shape *shape, abut_pose pose);
abut_body_id put_moving(abut_world *world, abut_shape *shape, abut_vec3 place, abut_vec3 velocity, abut_body_def def);
/* The caller keeps def.shape. */
abut_body_id put_shared(abut_world *world, abut_body_def def);

abut_body_state state_of(const abut_world *world, abut_body_id id);

/* Makes steps of 1/64 s; the last one is shorter. */
void run_for(abut_world *world, double time);

/* The contacts after one step. Release with free(). */
abut_contact *contacts_after_step(abut_world *world, double dt, int32_t *count);
