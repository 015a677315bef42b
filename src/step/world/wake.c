/* Bodies that wake and fall asleep because their callers want it. Only the fixed stepper lets bodies sleep. */
#include "base/argument.h"
#include "step/world/world.h"

void body_wake(abut_world *world, int32_t slot) {
    world->bodies[slot].asleep = false;
    world->bodies[slot].rest_time = 0.0;
}

void body_wake_neighbours(abut_world *world, int32_t slot) {
    abut_body_id id = body_id_of(world, slot);
    for (int32_t i = 0; i < world->contacts.count; i++) {
        const abut_world_contact *contact = &world->contacts.contacts[i];
        if (contact->a.index == id.index || contact->b.index == id.index) {
            body_wake(world, (int32_t)(contact->a.index == id.index ? contact->b.index : contact->a.index) - 1);
        }
    }
}

abut_status abut_world_wake_body(abut_world *world, abut_body_id id) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    body_wake(world, slot);
    return ABUT_OK;
}

abut_status abut_world_sleep_body(abut_world *world, abut_body_id id) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(CALL_NAME, world);
    }
    if (world->def.stepper != ABUT_STEPPER_FIXED) {
        return ABUT_ERROR_UNSUPPORTED;
    }
    body *body = &world->bodies[slot];
    if (body->kind != ABUT_BODY_DYNAMIC) {
        return ABUT_OK;
    }
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    body->velocity = body->angular_velocity = body->force = body->torque = zero;
    body->asleep = true; /* a body that was placed since the last step stays disturbed: the next step finds its contacts */
    return ABUT_OK;
}
