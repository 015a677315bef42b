/* Values that callers change while a world runs: gravity, and mass, friction, restitution, damping, gravity scale and belts of bodies. A change that can move a
 * sleeping body wakes it. The next step wakes the bodies that it touches. */
#include "base/argument.h"
#include "base/real.h"
#include "step/world/world.h"

/* ABUT_OK for a finite number between the limits. */
static abut_status check(const char *call, const char *argument, double x, double least, double most) {
    if (argument_is_not_finite(call, argument, x)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool outside =
        most < INFINITY ? argument_is_outside(call, argument, x, least, most) : x < least && refused_value(call, argument, x, "at least 0");
    return outside ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK;
}

/* Springs get their stiffness from the mass of their body. */
static bool springs_bear(const abut_world *world, int32_t slot, double mass) {
    for (int32_t i = 0; i < world->spring_used; i++) {
        const spring *s = &world->springs[i];
        if (s->used && s->body == slot && !isfinite(spring_stiffness(s->frequency, mass) * real_max_number(1.0, s->damping_ratio))) {
            return false;
        }
    }
    return true;
}

abut_status abut_world_set_body_mass(abut_world *world, abut_body_id id, double mass) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    if (argument_is_not_finite(CALL_NAME, "mass", mass)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    body *body = &world->bodies[slot];
    if (argument_is_not_positive(CALL_NAME, "mass", mass)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (body->kind != ABUT_BODY_DYNAMIC) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME, "id names a body that is not dynamic: it has no mass");
    }
    if (body->cell != NULL) {
        return refuse(ABUT_ERROR_UNSUPPORTED, CALL_NAME, "id names an elastic cell: its mass is that of its nodes");
    }
    if (mass == body->mass) {
        return ABUT_OK;
    }
    abut_status status = springs_bear(world, slot, mass) ? body_weigh_anew(body, mass) : ABUT_ERROR_NOT_FINITE;
    if (status != ABUT_OK) {
        return refuse(status, CALL_NAME, "mass is %.9g: the inertia of the body, or the stiffness of a spring on it, overflows", mass);
    }
    body_wake(world, slot);
    return ABUT_OK;
}

/* The fixed stepper's passes leave the friction of pairs without friction alone, so nothing may be left of it to start from. */
static void forget_friction(abut_world *world, int32_t slot) {
    const uint32_t index = (uint32_t)slot + 1;
    for (int32_t i = 0; i < world->contacts.count && world->contacts.memory != NULL; i++) {
        const abut_world_contact *contact = &world->contacts.contacts[i];
        if (contact->a.index == index || contact->b.index == index) {
            world->contacts.memory[i].friction = abut_vec3_make(0.0, 0.0, 0.0);
        }
    }
}

abut_status abut_world_set_body_friction(abut_world *world, abut_body_id id, double friction) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    abut_status status = check(CALL_NAME, "friction", friction, 0.0, INFINITY);
    if (status == ABUT_OK && friction != world->bodies[slot].friction) {
        world->bodies[slot].friction = friction;
        world->finishes++;
        if (friction == 0.0) {
            forget_friction(world, slot);
        }
        body_wake(world, slot);
        body_wake_neighbours(world, slot); /* those that lie on a body that never moves */
    }
    return status;
}

abut_status abut_world_set_body_restitution(abut_world *world, abut_body_id id, double restitution) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    abut_status status = check(CALL_NAME, "restitution", restitution, 0.0, 1.0);
    if (status == ABUT_OK) {
        world->bodies[slot].restitution = restitution;
        world->finishes++;
    }
    return status;
}

abut_status abut_world_set_body_damping(abut_world *world, abut_body_id id, double linear, double angular) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    if (argument_is_not_finite(CALL_NAME, "linear", linear) || argument_is_not_finite(CALL_NAME, "angular", angular)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (argument_is_negative(CALL_NAME, "linear", linear) || argument_is_negative(CALL_NAME, "angular", angular)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    world->bodies[slot].linear_damping = linear;
    world->bodies[slot].angular_damping = angular;
    return ABUT_OK;
}

abut_status abut_world_set_body_gravity_scale(abut_world *world, abut_body_id id, double scale) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    if (argument_is_not_finite(CALL_NAME, "scale", scale)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (scale != world->bodies[slot].gravity_scale) {
        world->bodies[slot].gravity_scale = scale;
        body_wake(world, slot);
    }
    return ABUT_OK;
}

static bool are_equal(abut_vec3 a, abut_vec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

abut_status abut_world_set_body_surface_velocity(abut_world *world, abut_body_id id, abut_motion velocity) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    if (argument_is_no_vector(CALL_NAME, "velocity.linear", velocity.linear) ||
        argument_is_no_vector(CALL_NAME, "velocity.angular", velocity.angular)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    body *body = &world->bodies[slot];
    if (are_equal(velocity.linear, body->belt.linear) && are_equal(velocity.angular, body->belt.angular)) {
        return ABUT_OK;
    }
    if (world->def.stepper == ABUT_STEPPER_DEM) {
        return refuse(ABUT_ERROR_UNSUPPORTED, CALL_NAME, "velocity: the dem stepper has no surface velocity");
    }
    body->belt = velocity;
    body_follow_belt(body);
    body_wake(world, slot);
    body_wake_neighbours(world, slot);
    return ABUT_OK;
}

abut_status abut_world_set_body_filter(abut_world *world, abut_body_id id, abut_filter filter) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    body *body = &world->bodies[slot];
    if (filter.category == body->filter.category && filter.mask == body->filter.mask && filter.group == body->filter.group) {
        return ABUT_OK;
    }
    body->filter = filter;
    world->permissions++;
    broad_set_filter(&world->broad, slot, body_contact_filter(body));
    body_wake(world, slot);
    body_wake_neighbours(world, slot);
    return ABUT_OK;
}

abut_status abut_world_set_gravity(abut_world *world, abut_vec3 gravity) {
    if (argument_is_null(CALL_NAME, "world", world)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_no_vector(CALL_NAME, "gravity", gravity)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    const abut_vec3 before = world->def.gravity;
    bool changes = gravity.x != before.x || gravity.y != before.y || gravity.z != before.z;
    world->def.gravity = gravity;
    for (int32_t slot = 0; slot < world->body_used && changes; slot++) {
        if (world->bodies[slot].gravity_scale != 0.0) {
            body_wake(world, slot);
        }
    }
    return ABUT_OK;
}
