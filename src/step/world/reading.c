/* What callers read of bodies: one body, or all of them in the order of their slots. */
#include "base/argument.h"
#include "step/world/world.h"

static abut_body_state state_of(const body *body) {
    bool awake = body->kind != ABUT_BODY_STATIC && !body->asleep;
    return (abut_body_state){body->pose, body->centre, {body->velocity, body->angular_velocity}, awake};
}

abut_status abut_world_body_state(const abut_world *world, abut_body_id id, abut_body_state *state) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    if (argument_is_null(CALL_NAME, "state", state)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *state = state_of(&world->bodies[slot]);
    return ABUT_OK;
}

abut_status abut_world_body_info(const abut_world *world, abut_body_id id, abut_body_info *info) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    if (argument_is_null(CALL_NAME, "info", info)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const body *body = &world->bodies[slot];
    *info = (abut_body_info){.kind = body->kind,
                             .shape = body->shape,
                             .mass = body->mass,
                             .centre = body->local_centre,
                             .inertia = body->inertia,
                             .friction = body->friction,
                             .restitution = body->restitution,
                             .rolling_friction = body->rolling_friction,
                             .spinning_friction = body->spinning_friction,
                             .rolling_resistance = body->rolling_resistance,
                             .twisting_resistance = body->twisting_resistance,
                             .contact_stiffness = body->contact_stiffness,
                             .adhesion_strength = body->adhesion_strength,
                             .liquid_volume = body->liquid_volume,
                             .surface_tension = body->surface_tension,
                             .contact_angle = body->contact_angle,
                             .substance = body->substance,
                             .material = body->material,
                             .adhesion_work = body->adhesion_work,
                             .linear_damping = body->linear_damping,
                             .angular_damping = body->angular_damping,
                             .gravity_scale = body->gravity_scale,
                             .filter = body->filter,
                             .sensor = body->sensor,
                             .surface_velocity = body->belt,
                             .user = body->user};
    return ABUT_OK;
}

/* ---- all bodies ---- */

static bool is_refused(const char *call, const char *argument, const abut_world *world, const void *room, int32_t capacity,
                       const int32_t *count) {
    return argument_is_null(call, "world", world) || argument_is_null(call, "count", count) ||
           argument_is_no_buffer(call, argument, room, capacity);
}

/* The next slot in use at or after `slot`; world->body_used if there is none. */
static int32_t next_used(const abut_world *world, int32_t slot) {
    while (slot < world->body_used && !world->bodies[slot].used) {
        slot++;
    }
    return slot;
}

static abut_status count_bodies(const abut_world *world, int32_t capacity, int32_t *count) {
    *count = world->body_count;
    return world->body_count > capacity ? ABUT_ERROR_CAPACITY : ABUT_OK;
}

abut_status abut_world_body_ids(const abut_world *world, abut_body_id *ids, int32_t capacity, int32_t *count) {
    if (is_refused(CALL_NAME, "ids", world, ids, capacity, count)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t i = 0, slot = next_used(world, 0); i < capacity && slot < world->body_used; i++, slot = next_used(world, slot + 1)) {
        ids[i] = body_id_of(world, slot);
    }
    return count_bodies(world, capacity, count);
}

abut_status abut_world_body_states(const abut_world *world, abut_body_state *states, int32_t capacity, int32_t *count) {
    if (is_refused(CALL_NAME, "states", world, states, capacity, count)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t i = 0, slot = next_used(world, 0); i < capacity && slot < world->body_used; i++, slot = next_used(world, slot + 1)) {
        states[i] = state_of(&world->bodies[slot]);
    }
    return count_bodies(world, capacity, count);
}

abut_status abut_world_body_poses(const abut_world *world, abut_pose *poses, int32_t capacity, int32_t *count) {
    if (is_refused(CALL_NAME, "poses", world, poses, capacity, count)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    for (int32_t i = 0, slot = next_used(world, 0); i < capacity && slot < world->body_used; i++, slot = next_used(world, slot + 1)) {
        poses[i] = world->bodies[slot].pose;
    }
    return count_bodies(world, capacity, count);
}
