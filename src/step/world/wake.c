/* Bodies that wake and fall asleep because their callers want it. Only the fixed stepper lets bodies sleep. */
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
        return world_lacks_id(world);
    }
    body_wake(world, slot);
    return ABUT_OK;
}

/* Drop the contacts of a body, and keep its pairs. */
static void drop_contacts(abut_world *world, int32_t slot) {
    contact_store *store = &world->contacts;
    int32_t kept = 0;
    for (int32_t p = 0; p < world->broad.pair_count; p++) {
        broad_pair *pair = &world->broad.pairs[p];
        int32_t first = pair->contact_first;
        bool drops = pair->a == slot || pair->b == slot;
        pair->contact_first = kept;
        pair->contact_count = drops ? 0 : pair->contact_count;
        for (int32_t i = 0; i < pair->contact_count; i++) {
            store->contacts[kept] = store->contacts[first + i];
            store->memory[kept++] = store->memory[first + i];
        }
        if (drops && store->tracking != NULL) {
            store->tracking[p].count = 0;
        }
    }
    store->count = kept;
}

abut_status abut_world_sleep_body(abut_world *world, abut_body_id id) {
    int32_t slot = body_find(world, id);
    if (slot < 0) {
        return world_lacks_id(world);
    }
    if (world->def.stepper != ABUT_STEPPER_FIXED) {
        return ABUT_ERROR_UNSUPPORTED;
    }
    body *body = &world->bodies[slot];
    if (body->kind != ABUT_BODY_DYNAMIC) {
        return ABUT_OK;
    }
    /* A sleeping body keeps the contacts of the last step. Those of a body that was placed since are not its contacts any more. */
    if (body->disturbed) {
        drop_contacts(world, slot);
    }
    const abut_vec3 zero = {0.0, 0.0, 0.0};
    body->velocity = body->angular_velocity = body->force = body->torque = zero;
    body->disturbed = false;
    body->asleep = true;
    return ABUT_OK;
}
