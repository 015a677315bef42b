/* Ids of bodies, and calls that read a world as a whole: its contacts and its hash. */
#include "step/world/world.h"

int32_t body_find(const abut_world *world, abut_body_id id) {
    if (world == NULL || id.index == 0 || id.index > (uint32_t)world->body_used) {
        return -1;
    }
    int32_t slot = (int32_t)(id.index - 1);
    return world->bodies[slot].used && world->bodies[slot].generation == id.generation ? slot : -1;
}

abut_status world_lacks_id(const abut_world *world) { return world == NULL ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_ERROR_STALE_ID; }

abut_body_id body_id_of(const abut_world *world, int32_t slot) {
    abut_body_id id = {(uint32_t)slot + 1, world->bodies[slot].generation};
    return id;
}

abut_world_contact world_contact_of(const abut_world *world, int32_t a, int32_t b, const abut_contact *contact) {
    return (abut_world_contact){.a = body_id_of(world, a),
                                .b = body_id_of(world, b),
                                .user_a = world->bodies[a].user,
                                .user_b = world->bodies[b].user,
                                .contact = *contact};
}

abut_status abut_world_contacts(const abut_world *world, const abut_world_contact **contacts, int32_t *count) {
    if (world == NULL || contacts == NULL || count == NULL) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    *contacts = world->contacts.contacts;
    *count = world->contacts.count;
    return ABUT_OK;
}

/* FNV-1a. */
static uint64_t mix(uint64_t hash, const void *data, size_t size) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

uint64_t abut_world_hash(const abut_world *world) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (int32_t slot = 0; world != NULL && slot < world->body_used; slot++) {
        const body *body = &world->bodies[slot];
        if (!body->used) {
            continue;
        }
        const abut_body_id id = body_id_of(world, slot);
        const unsigned char asleep = body->asleep;
        hash = mix(hash, &id, sizeof id);
        hash = mix(hash, &body->pose, sizeof body->pose);
        hash = mix(hash, &body->velocity, sizeof body->velocity);
        hash = mix(hash, &body->angular_velocity, sizeof body->angular_velocity);
        hash = mix(hash, &asleep, sizeof asleep);
    }
    return hash;
}
