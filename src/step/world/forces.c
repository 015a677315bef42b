/* Forces and torques for the next step, and impulses, which change velocities at once. World frame. */
#include "step/world/world.h"

abut_status abut_world_apply_force(abut_world *world, abut_body_id id, abut_vec3 force, abut_vec3 point) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(world);
    }
    body *body = &world->bodies[slot];
    abut_vec3 total = abut_add(body->force, force);
    abut_vec3 torque = abut_add(body->torque, abut_cross(abut_sub(point, body->centre), force));
    if (!abut_vec3_is_finite(total) || !abut_vec3_is_finite(torque)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    body->force = total;
    body->torque = torque;
    body_wake(world, slot);
    return ABUT_OK;
}

abut_status abut_world_apply_torque(abut_world *world, abut_body_id id, abut_vec3 torque) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(world);
    }
    body *body = &world->bodies[slot];
    abut_vec3 total = abut_add(body->torque, torque);
    if (!abut_vec3_is_finite(total)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    body->torque = total;
    body_wake(world, slot);
    return ABUT_OK;
}

/* The inverse inertia of a dynamic body times a vector. */
static abut_vec3 turned_by(const body *body, abut_vec3 angular) {
    abut_vec3 local = abut_quat_rotate_inverse(body->frame, angular);
    local = abut_vec3_make(local.x / body->moments.x, local.y / body->moments.y, local.z / body->moments.z);
    return abut_quat_rotate(body->frame, local);
}

static abut_status push(abut_world *world, int32_t slot, abut_vec3 linear, abut_vec3 angular) {
    if (!abut_vec3_is_finite(linear) || !abut_vec3_is_finite(angular)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    body *body = &world->bodies[slot];
    if (body->kind != ABUT_BODY_DYNAMIC) {
        return ABUT_OK;
    }
    abut_vec3 velocity = abut_add_scaled(body->velocity, 1.0 / body->mass, linear);
    abut_vec3 angular_velocity = abut_add(body->angular_velocity, turned_by(body, angular));
    if (!abut_vec3_is_finite(velocity) || !abut_vec3_is_finite(angular_velocity)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    body->velocity = velocity;
    body->angular_velocity = angular_velocity;
    body_wake(world, slot);
    return ABUT_OK;
}

abut_status abut_world_apply_impulse(abut_world *world, abut_body_id id, abut_vec3 impulse, abut_vec3 point) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(world);
    }
    return push(world, slot, impulse, abut_cross(abut_sub(point, world->bodies[slot].centre), impulse));
}

abut_status abut_world_apply_angular_impulse(abut_world *world, abut_body_id id, abut_vec3 impulse) {
    int32_t slot = body_find(world, id);
    return slot < 0 ? world_lacks_id(world) : push(world, slot, abut_vec3_make(0.0, 0.0, 0.0), impulse);
}
