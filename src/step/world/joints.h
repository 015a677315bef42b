#pragma once

#include "solve/joint/joint.h"
#include "step/world/saved.h"
#include "step/world/world.h"

/* Remove all joints of the body in a slot. */
void joints_remove_of(abut_world *world, int32_t slot);

/* Whether a joint keeps the bodies in two slots from colliding. */
bool joints_keep_apart(const abut_world *world, int32_t a, int32_t b);

/* The solver's record of a joint, between the states a and b of its bodies at the begin of a step; its indices of bodies are 0. */
solver_joint joint_begin(const abut_world *world, const world_joint *joint, const solver_body *a, const solver_body *b);

/* Saved joints (step/save.c). Reading fills separate records. */
bool joints_exist(const abut_world *world);
void joints_save(saved_stream *s, const abut_world *world);

typedef struct joint_list {
    world_joint *joints;
    int32_t used, free;
} joint_list;

/* bodies: [body_used] as read before. The caller releases the joints, also after a failure. ABUT_OK; ABUT_ERROR_FORMAT; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status joints_read(saved_stream *s, const body *bodies, int32_t body_used, joint_list *list);

/* Exchanges the joints of the world and of a list. */
void joints_exchange(abut_world *world, joint_list *list);
