/* Ids of bodies, and calls that read a world as a whole: its contacts and its hash. */
#include "step/world/world.h"

#include "base/argument.h"

int32_t body_find(const abut_world *world, abut_body_id id) {
    if (world == NULL || id.index == 0 || id.index > (uint32_t)world->body_used) {
        return -1;
    }
    int32_t slot = (int32_t)(id.index - 1);
    return world->bodies[slot].used && world->bodies[slot].generation == id.generation ? slot : -1;
}

abut_status world_lacks_id(const char *call, const abut_world *world) {
    return argument_is_null(call, "world", world) ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_ERROR_STALE_ID;
}

abut_status world_check_joined(const char *call, const abut_world *world, abut_body_id a, abut_body_id b) {
    int32_t first = body_find(world, a), second = body_find(world, b);
    if (first < 0 || second < 0) {
        return ABUT_ERROR_STALE_ID;
    }
    if (first == second) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "def->a and def->b are one body");
    }
    bool dynamic = world->bodies[first].kind == ABUT_BODY_DYNAMIC || world->bodies[second].kind == ABUT_BODY_DYNAMIC;
    return dynamic ? ABUT_OK : refuse(ABUT_ERROR_INVALID_ARGUMENT, call, "neither def->a nor def->b is a dynamic body");
}

abut_status world_refuse_body(abut_status status, const abut_world *world, int32_t slot, const char *why) {
    return refuse(status, "abut_world_step", "body %d (generation %u): %s", (int)(slot + 1), (unsigned)world->bodies[slot].generation, why);
}

abut_status world_refuse_pair(abut_status status, const abut_world *world, int32_t slot_a, int32_t slot_b) {
    const abut_shape *a = world->bodies[slot_a].shape, *b = world->bodies[slot_b].shape;
    if (status != ABUT_ERROR_INVALID_ARGUMENT && status != ABUT_ERROR_NOT_FINITE && status != ABUT_ERROR_UNSUPPORTED_PAIR) {
        return status;
    }
    return refuse(status, "abut_world_step", "bodies %d (%s) and %d (%s): %s", (int)(slot_a + 1), abut_kind_name(abut_shape_kind(a)),
                  (int)(slot_b + 1), abut_kind_name(abut_shape_kind(b)), abut_status_message(status));
}

abut_body_id body_id_of(const abut_world *world, int32_t slot) {
    abut_body_id id = {(uint32_t)slot + 1, world->bodies[slot].generation};
    return id;
}

void world_write_contacts(const abut_world *world, int32_t a, int32_t b, const abut_contact *contacts, int32_t count,
                          abut_world_contact *to) {
    const abut_body_id id_a = body_id_of(world, a), id_b = body_id_of(world, b);
    const uint64_t user_a = world->bodies[a].user, user_b = world->bodies[b].user;
    for (int32_t i = 0; i < count; i++) {
        to[i].a = id_a;
        to[i].b = id_b;
        to[i].user_a = user_a;
        to[i].user_b = user_b;
        to[i].contact = contacts[i];
        to[i].normal_force = 0.0;
        to[i].friction_force = abut_vec3_make(0.0, 0.0, 0.0);
    }
}

abut_status abut_world_contacts(const abut_world *world, const abut_world_contact **contacts, int32_t *count) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_null(CALL_NAME, "contacts", contacts) ||
        argument_is_null(CALL_NAME, "count", count)) {
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
        if (body->cell != NULL) {
            hash = mix(hash, body->cell->position, (size_t)body->cell->mesh.node_count * sizeof *body->cell->position);
            hash = mix(hash, body->cell->velocity, (size_t)body->cell->mesh.node_count * sizeof *body->cell->velocity);
        }
    }
    return hash;
}
