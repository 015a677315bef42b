/* Forces and torques for the next step, and impulses, which change velocities at once. World frame. */
#include "base/argument.h"
#include "step/world/cell/cells.h"

static abut_status refuse_force(const char *call, abut_vec3 force, abut_vec3 point) {
    if (!argument_is_no_vector(call, "force", force) && !argument_is_no_vector(call, "point", point)) {
        (void)refused(call, "force: the sum of the forces or torques on the body overflows");
    }
    return ABUT_ERROR_NOT_FINITE;
}

abut_status abut_world_apply_force(abut_world *world, abut_body_id id, abut_vec3 force, abut_vec3 point) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    body *body = &world->bodies[slot];
    abut_vec3 total = abut_add(body->force, force);
    abut_vec3 torque = abut_add(body->torque, abut_cross(abut_sub(point, body->centre), force));
    if (!abut_vec3_is_finite(total) || !abut_vec3_is_finite(torque)) {
        return refuse_force(CALL_NAME, force, point);
    }
    body->force = total;
    body->torque = torque;
    body_wake(world, slot);
    return ABUT_OK;
}

abut_status abut_world_apply_torque(abut_world *world, abut_body_id id, abut_vec3 torque) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    body *body = &world->bodies[slot];
    abut_vec3 total = abut_add(body->torque, torque);
    if (!abut_vec3_is_finite(total)) {
        return argument_is_no_vector(CALL_NAME, "torque", torque)
                   ? ABUT_ERROR_NOT_FINITE
                   : refuse(ABUT_ERROR_NOT_FINITE, CALL_NAME, "torque: the sum of the torques on the body overflows");
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

static abut_status push(const char *call, abut_world *world, int32_t slot, abut_vec3 linear, abut_vec3 angular) {
    if (!abut_vec3_is_finite(linear) || !abut_vec3_is_finite(angular)) {
        return refuse(ABUT_ERROR_NOT_FINITE, call, "impulse: its moment about the centre of mass is not finite");
    }
    body *body = &world->bodies[slot];
    if (body->kind != ABUT_BODY_DYNAMIC) {
        return ABUT_OK;
    }
    abut_vec3 velocity = abut_add_scaled(body->velocity, 1.0 / body->mass, linear);
    abut_vec3 angular_velocity = abut_add(body->angular_velocity, turned_by(body, angular));
    if (!abut_vec3_is_finite(velocity) || !abut_vec3_is_finite(angular_velocity)) {
        return refuse(ABUT_ERROR_NOT_FINITE, call, "impulse: the velocity of the body overflows");
    }
    const struct body before = *body;
    body->velocity = velocity;
    body->angular_velocity = angular_velocity;
    if (body->cell != NULL) {
        cell_follow(&before, body);
    }
    body_wake(world, slot);
    return ABUT_OK;
}

abut_status abut_world_apply_impulse(abut_world *world, abut_body_id id, abut_vec3 impulse, abut_vec3 point) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    if (argument_is_no_vector(CALL_NAME, "impulse", impulse) || argument_is_no_vector(CALL_NAME, "point", point)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    return push(CALL_NAME, world, slot, impulse, abut_cross(abut_sub(point, world->bodies[slot].centre), impulse));
}

abut_status abut_world_apply_angular_impulse(abut_world *world, abut_body_id id, abut_vec3 impulse) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    if (argument_is_no_vector(CALL_NAME, "impulse", impulse)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    return push(CALL_NAME, world, slot, abut_vec3_make(0.0, 0.0, 0.0), impulse);
}
