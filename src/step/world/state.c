/*
 * Conversion of the state of a world to bytes and back: see state.h. The lists of pairs, contacts and tracked points keep the order that they have in
 * the world.
 */
#include "step/world/state.h"

#include "base/memory.h"
#include "shape/shape.h"
#include "step/world/cell/cells.h"
#include "step/world/changes.h"
#include "step/world/digest.h"

/* ---- records ---- */

/* The variable state of a body, and of its proxy in the broad phase. */
static void save_body(saved_stream *s, body *b, broad_proxy *proxy) {
    saved_vec3(s, &b->pose.position);
    saved_quat(s, &b->pose.rotation);
    saved_vec3(s, &b->centre);
    saved_quat(s, &b->frame);
    saved_vec3(s, &b->velocity);
    saved_vec3(s, &b->angular_velocity);
    saved_vec3(s, &b->force);
    saved_vec3(s, &b->torque);
    saved_bool(s, &b->asleep);
    saved_bool(s, &b->disturbed);
    saved_real(s, &b->rest_time);
    saved_bool(s, &proxy->changed);
    if (proxy->kind == BROAD_PLANE) {
        saved_vec3(s, &proxy->normal);
        saved_real(s, &proxy->offset);
    } else {
        saved_aabb(s, &proxy->reach);
        saved_aabb(s, &proxy->fat);
    }
}

enum { LEAST_BODY_BYTES = 9, LEAST_SPRING_BYTES = 9, PAIR_BYTES = 92, CONTACT_BYTES = 40, TRACKING_BYTES = 12 };

static void save_slot(saved_stream *s, bool *used, uint32_t *generation, int32_t *next_free) {
    saved_bool(s, used);
    saved_uint32(s, generation);
    saved_int32(s, next_free);
}

static void save_spring(saved_stream *s, spring *spring) {
    save_slot(s, &spring->used, &spring->generation, &spring->next_free);
    if (spring->used) {
        saved_int32(s, &spring->body);
        saved_vec3(s, &spring->anchor);
        saved_vec3(s, &spring->target);
        saved_real(s, &spring->frequency);
        saved_real(s, &spring->damping_ratio);
        saved_real(s, &spring->max_force);
    }
}

static void save_pair(saved_stream *s, broad_pair *pair, broad_memory *memory) {
    saved_int32(s, &pair->a);
    saved_int32(s, &pair->b);
    saved_int32(s, &pair->previous);
    saved_int32(s, &pair->contact_first);
    saved_int32(s, &pair->contact_count);
    saved_vec3(s, &memory->normal);
    saved_cache(s, &memory->cache);
}

/* Worlds that are solved exactly have no use for mean forces. */
static void save_contact(saved_stream *s, const abut_world *world, abut_world_contact *contact, contact_memory *memory) {
    saved_uint32(s, &contact->a.index);
    saved_uint32(s, &contact->a.generation);
    saved_uint32(s, &contact->b.index);
    saved_uint32(s, &contact->b.generation);
    saved_contact(s, &contact->contact);
    saved_real(s, &contact->normal_force);
    saved_vec3(s, &contact->friction_force);
    saved_real(s, &memory->force);
    saved_vec3(s, &memory->friction);
    saved_vec3(s, &memory->place);
    if (world->def.fixed.exact) {
        memory->mean = memory->force;
    } else {
        saved_real(s, &memory->mean);
    }
}

static void save_tracking(saved_stream *s, tracking_cache *cache) {
    saved_int32(s, &cache->count);
    s->broken = s->broken || cache->count < 0 || cache->count > TRACKING_POINTS;
    saved_uint64(s, &cache->made);
    for (int32_t i = 0; i < cache->count && !s->broken; ++i) {
        saved_contact(s, &cache->points[i].contact);
        saved_vec3(s, &cache->points[i].local_a);
        saved_vec3(s, &cache->points[i].local_b);
    }
}

/* ---- saving ---- */

static void save_bodies(saved_stream *s, const abut_world *world, const uint64_t *digests) {
    int32_t used = world->body_used, first_free = world->body_free;
    saved_int32(s, &used);
    saved_int32(s, &first_free);
    for (int32_t slot = 0; slot < used; ++slot) {
        body body = world->bodies[slot];
        broad_proxy proxy = world->broad.proxies[slot];
        uint64_t digest = digests != NULL ? digests[slot] : 0;
        save_slot(s, &body.used, &body.generation, &body.next_free);
        if (body.used) {
            saved_uint64(s, &digest);
            save_body(s, &body, &proxy);
        }
    }
}

static void save_lists(saved_stream *s, const abut_world *world) {
    int32_t springs = world->spring_used, first_free = world->spring_free, pairs = world->broad.pair_count,
            contacts = world->contacts.count;
    saved_int32(s, &springs);
    saved_int32(s, &first_free);
    for (int32_t i = 0; i < springs; ++i) {
        spring spring = world->springs[i];
        save_spring(s, &spring);
    }
    saved_int32(s, &pairs);
    for (int32_t i = 0; i < pairs; ++i) {
        broad_pair pair = world->broad.pairs[i];
        broad_memory memory = world->broad.memories[i];
        save_pair(s, &pair, &memory);
    }
    saved_int32(s, &contacts);
    for (int32_t i = 0; i < contacts; ++i) {
        abut_world_contact contact = world->contacts.contacts[i];
        contact_memory memory = {.force = contact.normal_force};
        if (world->contacts.memory != NULL) {
            memory = world->contacts.memory[i];
        }
        save_contact(s, world, &contact, &memory);
    }
    bool tracking = world->contacts.tracking != NULL;
    saved_bool(s, &tracking);
    for (int32_t i = 0; i < pairs && tracking; ++i) {
        tracking_cache cache = world->contacts.tracking[i];
        save_tracking(s, &cache);
    }
}

void world_state_save(saved_stream *s, const abut_world *world, const uint64_t *digests) {
    int64_t step = world->step;
    double time = world->time;
    saved_int64(s, &step);
    saved_real(s, &time);
    save_bodies(s, world, digests);
    save_lists(s, world);
}

/* ---- reading ---- */

static abut_status judge(const saved_stream *s) { return s->broken ? ABUT_ERROR_FORMAT : ABUT_OK; }

static bool is_finite_body(const body *b) {
    return abut_pose_is_valid(b->pose) && abut_vec3_is_finite(b->centre) && isfinite(abut_quat_norm(b->frame)) &&
           abut_vec3_is_finite(b->velocity) && abut_vec3_is_finite(b->angular_velocity) && abut_vec3_is_finite(b->force) &&
           abut_vec3_is_finite(b->torque) && isfinite(b->rest_time);
}

/* Reads the state of a body; its constant parts come from the world. */
static abut_status read_body(saved_stream *s, world_state *state, int32_t slot, const uint64_t *digests) {
    const abut_world *world = state->world;
    body made = {.used = false};
    save_slot(s, &made.used, &made.generation, &made.next_free);
    if (made.used) {
        body restored = changes_undone(&world->bodies[slot]);
        if (!restored.used) {
            return s->broken ? ABUT_ERROR_FORMAT : ABUT_ERROR_FOREIGN;
        }
        restored.generation = made.generation;
        restored.next_free = -1;
        uint64_t digest = 0;
        saved_uint64(s, &digest);
        if (!s->broken && digest != digests[slot]) {
            return ABUT_ERROR_FOREIGN;
        }
        state->proxies[slot] = world->broad.proxies[slot];
        save_body(s, &restored, &state->proxies[slot]);
        s->broken = s->broken || !is_finite_body(&restored);
        made = restored;
        state->body_count++;
    }
    state->bodies[slot] = made;
    return judge(s);
}

/* Whether the list of free slots that starts at `first` contains only free slots, and ends. */
static bool is_free_list(int32_t first, int32_t used, const void *slots, bool (*next_of)(const void *slots, int32_t slot, int32_t *next)) {
    int32_t count = 0;
    for (int32_t slot = first; slot != -1; ++count) {
        if (slot < -1 || slot >= used || count == used || !next_of(slots, slot, &slot)) {
            return false;
        }
    }
    return true;
}

static bool next_body(const void *slots, int32_t slot, int32_t *next) {
    const body *bodies = slots;
    *next = bodies[slot].next_free;
    return !bodies[slot].used;
}

static bool next_spring(const void *slots, int32_t slot, int32_t *next) {
    const spring *springs = slots;
    *next = springs[slot].next_free;
    return !springs[slot].used;
}

static abut_status read_bodies(saved_stream *s, world_state *state) {
    const abut_world *world = state->world;
    int32_t used = 0;
    if (!saved_count(s, &used, LEAST_BODY_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    if (used != world->body_used) {
        return ABUT_ERROR_FOREIGN;
    }
    saved_int32(s, &state->body_free);
    uint64_t *digests = world_digests_of_bodies(world);
    state->bodies = saved_room(used, sizeof *state->bodies);
    state->proxies = saved_room(used, sizeof *state->proxies);
    abut_status status = digests != NULL && state->bodies != NULL && state->proxies != NULL ? judge(s) : ABUT_ERROR_OUT_OF_MEMORY;
    for (int32_t slot = 0; slot < used && status == ABUT_OK; ++slot) {
        status = read_body(s, state, slot, digests);
    }
    memory_release(digests);
    return status == ABUT_OK && !is_free_list(state->body_free, used, state->bodies, next_body) ? ABUT_ERROR_FORMAT : status;
}

static abut_status read_springs(saved_stream *s, world_state *state) {
    if (!saved_count(s, &state->spring_used, LEAST_SPRING_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    saved_int32(s, &state->spring_free);
    state->springs = saved_room(state->spring_used, sizeof *state->springs);
    if (state->springs == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < state->spring_used && !s->broken; ++i) {
        spring *spring = &state->springs[i];
        save_spring(s, spring);
        bool fine = !spring->used || (spring->body >= 0 && spring->body < state->world->body_used && state->bodies[spring->body].used &&
                                      state->bodies[spring->body].kind == ABUT_BODY_DYNAMIC);
        s->broken = s->broken || !fine;
    }
    s->broken = s->broken || !is_free_list(state->spring_free, state->spring_used, state->springs, next_spring);
    return judge(s);
}

/* Reads the pairs. Their contacts must be consecutive. *contacts receives the number of contacts. */
static abut_status read_pairs(saved_stream *s, world_state *state, int32_t *contacts) {
    if (!saved_count(s, &state->pair_count, PAIR_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    state->pairs = saved_room(state->pair_count, sizeof *state->pairs);
    state->memories = saved_room(state->pair_count, sizeof *state->memories);
    if (state->pairs == NULL || state->memories == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    int32_t used = state->world->body_used;
    *contacts = 0;
    for (int32_t i = 0; i < state->pair_count && !s->broken; ++i) {
        broad_pair *pair = &state->pairs[i];
        save_pair(s, pair, &state->memories[i]);
        bool fine = pair->a >= 0 && pair->a < used && pair->b >= 0 && pair->b < used && pair->a != pair->b && state->bodies[pair->a].used &&
                    state->bodies[pair->b].used && pair->contact_first == *contacts && pair->contact_count >= 0 &&
                    pair->contact_count <= INT32_MAX / 2 - *contacts;
        s->broken = s->broken || !fine;
        *contacts += s->broken ? 0 : pair->contact_count;
    }
    return judge(s);
}

static bool is_slot_index(const world_state *state, uint32_t index) {
    return index >= 1 && index <= (uint32_t)state->world->body_used && state->bodies[index - 1].used;
}

static abut_status read_contacts(saved_stream *s, world_state *state, int32_t expected) {
    contact_store *store = &state->contacts;
    if (!saved_count(s, &store->count, CONTACT_BYTES) || store->count != expected) {
        return ABUT_ERROR_FORMAT;
    }
    store->contacts = saved_room(store->count, sizeof *store->contacts);
    store->memory = saved_room(store->count, sizeof *store->memory);
    if (store->contacts == NULL || store->memory == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    store->capacity = store->count > 0 ? store->count : 1;
    for (int32_t i = 0; i < store->count && !s->broken; ++i) {
        abut_world_contact *contact = &store->contacts[i];
        save_contact(s, state->world, contact, &store->memory[i]);
        store->memory[i].id = contact->contact.id;
        store->memory[i].patch = contact->contact.patch;
        s->broken = s->broken || !is_slot_index(state, contact->a.index) || !is_slot_index(state, contact->b.index);
        contact->user_a = s->broken ? 0 : state->bodies[contact->a.index - 1].user;
        contact->user_b = s->broken ? 0 : state->bodies[contact->b.index - 1].user;
    }
    if (state->world->def.stepper == ABUT_STEPPER_DEM) {
        memory_release(store->memory);
        store->memory = NULL;
    }
    return judge(s);
}

static abut_status read_tracking(saved_stream *s, world_state *state) {
    bool there = false;
    saved_bool(s, &there);
    s->broken = s->broken || (there && (size_t)state->pair_count > (s->size - s->at) / TRACKING_BYTES);
    if (s->broken || !there) {
        return judge(s);
    }
    contact_store *store = &state->contacts;
    store->tracking = saved_room(state->pair_count, sizeof *store->tracking);
    if (store->tracking == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    store->tracking_capacity = state->pair_count > 0 ? state->pair_count : 1;
    for (int32_t i = 0; i < state->pair_count && !s->broken; ++i) {
        save_tracking(s, &store->tracking[i]);
    }
    return judge(s);
}

static abut_status read_lists(saved_stream *s, world_state *state) {
    int32_t contacts = 0;
    abut_status status = read_springs(s, state);
    status = status == ABUT_OK ? read_pairs(s, state, &contacts) : status;
    status = status == ABUT_OK ? read_contacts(s, state, contacts) : status;
    return status == ABUT_OK ? read_tracking(s, state) : status;
}

abut_status world_state_read(saved_stream *s, world_state *state) {
    saved_int64(s, &state->step);
    saved_real(s, &state->time);
    s->broken = s->broken || state->step < 0 || !isfinite(state->time);
    state->gravity = state->world->built_gravity;
    abut_status status = judge(s);
    status = status == ABUT_OK ? read_bodies(s, state) : status;
    return status == ABUT_OK ? read_lists(s, state) : status;
}

/* ---- restoring ---- */

static void restore_bodies(abut_world *world, const world_state *state) {
    for (int32_t slot = 0; slot < world->body_used; ++slot) {
        body *body = &world->bodies[slot];
        const broad_proxy *proxy = &state->proxies[slot];
        if (!state->bodies[slot].used) {
            abut_shape_release(body->shape);
            memory_release(body->surfaces);
            cell_free(body->cell);
            broad_remove(&world->broad, slot);
        } else if (proxy->kind == BROAD_PLANE) {
            broad_restore_plane(&world->broad, slot, proxy->normal, proxy->offset, proxy->changed);
        } else {
            broad_restore_box(&world->broad, slot, proxy->reach, proxy->fat, proxy->changed);
        }
        if (state->bodies[slot].used && state->bodies[slot].shape != body->shape) {
            abut_shape_release(body->shape); /* a cell has another one */
        }
        world->broad.proxies[slot].filter = body_contact_filter(&state->bodies[slot]);
        *body = state->bodies[slot];
    }
    world->body_free = state->body_free;
    world->body_count = state->body_count;
}

/* Exchanges the lists of the world and of the state. */
static void restore_lists(abut_world *world, world_state *state) {
    world_state before = {.springs = world->springs,
                          .pairs = world->broad.pairs,
                          .memories = world->broad.memories,
                          .contacts = world->contacts,
                          .bodies = state->bodies,
                          .proxies = state->proxies};
    world->springs = state->springs;
    world->spring_used = state->spring_used;
    world->spring_capacity = state->spring_used > 0 ? state->spring_used : 1;
    world->spring_free = state->spring_free;
    world->broad.pairs = state->pairs;
    world->broad.memories = state->memories;
    world->broad.pair_count = state->pair_count;
    world->broad.pair_capacity = world->broad.memory_capacity = state->pair_count > 0 ? state->pair_count : 1;
    world->contacts = state->contacts;
    *state = before;
}

void world_state_restore(abut_world *world, world_state *state) {
    world->def.gravity = state->gravity;
    world->step = state->step;
    world->time = state->time;
    world->placements++;
    restore_bodies(world, state);
    restore_lists(world, state);
}

void world_state_release(world_state *state) {
    contact_store_release(&state->contacts);
    void *blocks[] = {state->bodies, state->proxies, state->springs, state->pairs, state->memories};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        memory_release(blocks[i]);
    }
}
