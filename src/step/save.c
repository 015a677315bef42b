/*
 * Conversion of a world to bytes and back. The bytes hold all state that a step reads from earlier steps. The definition, the shapes and the properties of
 * bodies are not saved; digests tell whether the restored world has the same ones. Restoring reads into separate records first and changes the world only when
 * nothing can fail any more.
 *
 * Version 2 of the format ends with the values that callers have changed since the world was built (step/world/changes.h). A world without such changes is
 * written as version 1.
 */
#include <string.h>

#include "base/digest.h"
#include "base/memory.h"
#include "shape/digest.h"
#include "shape/shape.h"
#include "step/dem/stepper.h"
#include "step/event/stepper.h"
#include "step/world/changes.h"

static const unsigned char magic[8] = {'a', 'b', 'u', 't', 'w', 'o', 'r', 'l'};

enum { PLAIN_VERSION = 1, CHANGED_VERSION = 2, HEAD_BYTES = 8 + 4 + 4 + 8 + 8, END_BYTES = 8 };

/* ---- digests of the constant parts ---- */

static uint64_t add_vec3(uint64_t digest, abut_vec3 v) {
    const double xyz[] = {v.x, v.y, v.z};
    return digest_reals(digest, xyz, 3);
}

static uint64_t add_collide(uint64_t digest, const abut_collide_settings *c) {
    const int32_t integers[] = {c->normal,        c->contraction,        c->baseline.growth,
                                c->refine_normal, c->baseline.mesh_rule, c->baseline.mesh_identity};
    const double reals[] = {c->margin, c->feature_angle, c->weld};
    digest = digest_integers(digest, integers, sizeof integers / sizeof *integers);
    return add_vec3(digest_reals(digest, reals, sizeof reals / sizeof *reals), c->previous_normal);
}

static uint64_t add_fixed(uint64_t digest, const abut_fixed_settings *f) {
    const int32_t integers[] = {f->substeps, f->iterations, f->contacts_per_patch, f->sleeping};
    const double reals[] = {f->contact_frequency, f->contact_damping, f->max_push_speed, f->restitution_speed, f->margin,
                            f->sleep_speed,       f->sleep_time};
    digest = digest_integers(digest, integers, sizeof integers / sizeof *integers);
    return digest_reals(digest, reals, sizeof reals / sizeof *reals);
}

static uint64_t add_event(uint64_t digest, const abut_event_settings *e) {
    const int32_t integers[] = {e->event_limit, e->impulses};
    const double reals[] = {e->tolerance, e->touching, e->resting_speed, e->restitution_speed, e->drift_rate, e->longest_step};
    digest = digest_integers(digest, integers, sizeof integers / sizeof *integers);
    return digest_reals(digest, reals, sizeof reals / sizeof *reals);
}

static uint64_t add_dem(uint64_t digest, const abut_dem_settings *d) {
    const int32_t integers[] = {d->mode, d->periodic[0], d->periodic[1], d->periodic[2]};
    const double reals[] = {d->step, d->step_share, d->skin};
    digest = digest_integers(digest, integers, sizeof integers / sizeof *integers);
    digest = digest_reals(digest, reals, sizeof reals / sizeof *reals);
    return add_vec3(add_vec3(digest, d->lower), d->upper);
}

/* The whole definition, except how loops are distributed over threads. */
static uint64_t digest_of_def(const abut_world *world) {
    const abut_world_def *def = &world->def;
    uint64_t digest = add_vec3(digest_begin(), world->built_gravity);
    digest = digest_word(digest, (uint64_t)def->method);
    digest = digest_word(digest, (uint64_t)def->stepper);
    digest = add_collide(digest, &def->collide);
    digest = add_fixed(digest, &def->fixed);
    digest = add_event(digest, &def->event);
    return add_dem(digest, &def->dem);
}

static uint64_t digest_of_body(const body *present, uint64_t shape) {
    const body undone = changes_undone(present), *b = &undone;
    const double reals[] = {b->friction,      b->restitution, b->linear_damping, b->angular_damping, b->material.young, b->material.poisson,
                            b->adhesion_work, b->mass,        b->size,           b->radius,          b->principal.x,    b->principal.y,
                            b->principal.z,   b->principal.w};
    uint64_t digest = digest_word(digest_word(digest_begin(), shape), (uint64_t)b->kind);
    digest = digest_reals(digest, reals, sizeof reals / sizeof *reals);
    digest = add_vec3(add_vec3(digest, b->local_centre), b->moments);
    digest = add_vec3(add_vec3(add_vec3(digest, b->inertia.x), b->inertia.y), b->inertia.z);
    return b->gravity_scale == 1.0 ? digest : digest_real(digest, b->gravity_scale); /* so that states without scales keep their digests */
}

/* A hash table of shapes with known digests, so that a shape shared by many bodies is hashed once. The key is the address; collisions go to the next free
 * place. */
typedef struct known_shape {
    const abut_shape *shape;
    uint64_t digest;
} known_shape;

static uint64_t digest_of_shape(known_shape *known, size_t mask, const abut_shape *shape) {
    size_t at = (size_t)digest_word(digest_begin(), (uint64_t)(uintptr_t)shape) & mask;
    while (known[at].shape != NULL && known[at].shape != shape) {
        at = (at + 1) & mask;
    }
    if (known[at].shape == NULL) {
        known[at] = (known_shape){shape, shape_digest(shape)};
    }
    return known[at].digest;
}

/* By slot; 0 for unused slots. NULL when there is no memory. */
static uint64_t *digests_of_bodies(const abut_world *world) {
    size_t room = 16;
    while (room < 2 * (size_t)world->body_used) {
        room *= 2;
    }
    known_shape *known = memory_allocate(room, sizeof *known);
    uint64_t *digests = saved_room(world->body_used, sizeof *digests);
    if (known == NULL || digests == NULL) {
        memory_release(known);
        memory_release(digests);
        return NULL;
    }
    for (int32_t slot = 0; slot < world->body_used; ++slot) {
        const body *body = &world->bodies[slot];
        digests[slot] = body->used ? digest_of_body(body, digest_of_shape(known, room - 1, body->shape)) : 0;
    }
    memory_release(known);
    return digests;
}

/* ---- records ---- */

/* The variable state of a body and of its box among the candidates. */
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

static void save_pair(saved_stream *s, broad_pair *pair) {
    saved_int32(s, &pair->a);
    saved_int32(s, &pair->b);
    saved_int32(s, &pair->previous);
    saved_int32(s, &pair->contact_first);
    saved_int32(s, &pair->contact_count);
    saved_vec3(s, &pair->normal);
    saved_cache(s, &pair->cache);
}

static void save_contact(saved_stream *s, abut_world_contact *contact, contact_memory *memory) {
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
        save_pair(s, &pair);
    }
    saved_int32(s, &contacts);
    for (int32_t i = 0; i < contacts; ++i) {
        abut_world_contact contact = world->contacts.contacts[i];
        contact_memory memory = world->contacts.memory[i];
        save_contact(s, &contact, &memory);
    }
    bool tracking = world->contacts.tracking != NULL;
    saved_bool(s, &tracking);
    for (int32_t i = 0; i < pairs && tracking; ++i) {
        tracking_cache cache = world->contacts.tracking[i];
        save_tracking(s, &cache);
    }
}

static void save_all(saved_stream *s, const abut_world *world, uint64_t size, const uint64_t *digests) {
    for (size_t i = 0; i < sizeof magic; ++i) {
        uint64_t byte = magic[i];
        saved_bits(s, &byte, 1);
    }
    const bool changed = changes_exist(world);
    uint32_t version = changed ? CHANGED_VERSION : PLAIN_VERSION, stepper = (uint32_t)world->def.stepper;
    uint64_t def = digest_of_def(world);
    int64_t step = world->step;
    double time = world->time;
    saved_uint32(s, &version);
    saved_uint32(s, &stepper);
    saved_uint64(s, &size);
    saved_uint64(s, &def);
    saved_int64(s, &step);
    saved_real(s, &time);
    save_bodies(s, world, digests);
    save_lists(s, world);
    dem_save(s, world);
    event_save(s, world);
    if (changed) {
        changes_save(s, world);
    }
}

abut_status abut_world_save(const abut_world *world, void *saved, size_t capacity, size_t *size) {
    if (world == NULL || size == NULL || (saved == NULL && capacity > 0)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (!event_can_be_saved(world)) {
        return ABUT_ERROR_UNSUPPORTED;
    }
    saved_stream counted = {.to = NULL};
    save_all(&counted, world, 0, NULL);
    size_t needed = counted.at + END_BYTES;
    if (needed > capacity) {
        *size = needed;
        return ABUT_ERROR_CAPACITY;
    }
    uint64_t *digests = digests_of_bodies(world);
    if (digests == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    saved_stream s = {.to = saved, .size = capacity};
    save_all(&s, world, needed, digests);
    memory_release(digests);
    uint64_t sum = digest_bytes(digest_begin(), s.to, s.at);
    saved_uint64(&s, &sum);
    *size = needed;
    return ABUT_OK;
}

/* ---- reading ---- */

/* A state that was read. */
typedef struct restored_world {
    const abut_world *world;
    uint32_t version; /* of the format */
    int64_t step;
    double time;
    abut_vec3 gravity;
    body *bodies; /* [body_used] by slot, those not used without a shape */
    broad_proxy *proxies;
    int32_t body_free, body_count;
    spring *springs;
    int32_t spring_used, spring_free;
    broad_pair *pairs;
    int32_t pair_count;
    contact_store contacts;
    struct dem_stepper *dem;
    struct event_stepper *event;
} restored_world;

static void release(restored_world *r) {
    void *blocks[] = {r->bodies, r->proxies, r->springs, r->pairs, r->contacts.contacts, r->contacts.memory, r->contacts.tracking};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; ++i) {
        memory_release(blocks[i]);
    }
    dem_release(r->dem);
    event_release(r->event);
}

static abut_status judge(const saved_stream *s) { return s->broken ? ABUT_ERROR_FORMAT : ABUT_OK; }

static bool is_finite_body(const body *b) {
    return abut_pose_is_valid(b->pose) && abut_vec3_is_finite(b->centre) && isfinite(abut_quat_norm(b->frame)) &&
           abut_vec3_is_finite(b->velocity) && abut_vec3_is_finite(b->angular_velocity) && abut_vec3_is_finite(b->force) &&
           abut_vec3_is_finite(b->torque) && isfinite(b->rest_time);
}

/* Reads the state of a body; its constant parts come from the world. */
static abut_status read_body(saved_stream *s, restored_world *r, int32_t slot, const uint64_t *digests) {
    const abut_world *world = r->world;
    body made = {.used = false};
    save_slot(s, &made.used, &made.generation, &made.next_free);
    if (made.used) {
        body state = changes_undone(&world->bodies[slot]);
        if (!state.used) {
            return s->broken ? ABUT_ERROR_FORMAT : ABUT_ERROR_FOREIGN;
        }
        state.generation = made.generation;
        state.next_free = -1;
        uint64_t digest = 0;
        saved_uint64(s, &digest);
        if (!s->broken && digest != digests[slot]) {
            return ABUT_ERROR_FOREIGN;
        }
        r->proxies[slot] = world->broad.proxies[slot];
        save_body(s, &state, &r->proxies[slot]);
        s->broken = s->broken || !is_finite_body(&state);
        made = state;
        r->body_count++;
    }
    r->bodies[slot] = made;
    return judge(s);
}

/* Whether the list of free slots is connected and ends. */
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

static abut_status read_bodies(saved_stream *s, restored_world *r) {
    const abut_world *world = r->world;
    int32_t used = 0;
    if (!saved_count(s, &used, LEAST_BODY_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    if (used != world->body_used) {
        return ABUT_ERROR_FOREIGN;
    }
    saved_int32(s, &r->body_free);
    uint64_t *digests = digests_of_bodies(world);
    r->bodies = saved_room(used, sizeof *r->bodies);
    r->proxies = saved_room(used, sizeof *r->proxies);
    abut_status status = digests != NULL && r->bodies != NULL && r->proxies != NULL ? judge(s) : ABUT_ERROR_OUT_OF_MEMORY;
    for (int32_t slot = 0; slot < used && status == ABUT_OK; ++slot) {
        status = read_body(s, r, slot, digests);
    }
    memory_release(digests);
    return status == ABUT_OK && !is_free_list(r->body_free, used, r->bodies, next_body) ? ABUT_ERROR_FORMAT : status;
}

static abut_status read_springs(saved_stream *s, restored_world *r) {
    if (!saved_count(s, &r->spring_used, LEAST_SPRING_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    saved_int32(s, &r->spring_free);
    r->springs = saved_room(r->spring_used, sizeof *r->springs);
    if (r->springs == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0; i < r->spring_used && !s->broken; ++i) {
        spring *spring = &r->springs[i];
        save_spring(s, spring);
        bool fine = !spring->used || (spring->body >= 0 && spring->body < r->world->body_used && r->bodies[spring->body].used &&
                                      r->bodies[spring->body].kind == ABUT_BODY_DYNAMIC);
        s->broken = s->broken || !fine;
    }
    s->broken = s->broken || !is_free_list(r->spring_free, r->spring_used, r->springs, next_spring);
    return judge(s);
}

/* Reads the pairs; their contacts must follow each other. */
static abut_status read_pairs(saved_stream *s, restored_world *r, int32_t *contacts) {
    if (!saved_count(s, &r->pair_count, PAIR_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    r->pairs = saved_room(r->pair_count, sizeof *r->pairs);
    if (r->pairs == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    int32_t used = r->world->body_used;
    *contacts = 0;
    for (int32_t i = 0; i < r->pair_count && !s->broken; ++i) {
        broad_pair *pair = &r->pairs[i];
        save_pair(s, pair);
        bool fine = pair->a >= 0 && pair->a < used && pair->b >= 0 && pair->b < used && pair->a != pair->b && r->bodies[pair->a].used &&
                    r->bodies[pair->b].used && pair->contact_first == *contacts && pair->contact_count >= 0 &&
                    pair->contact_count <= INT32_MAX / 2 - *contacts;
        s->broken = s->broken || !fine;
        *contacts += s->broken ? 0 : pair->contact_count;
    }
    return judge(s);
}

static bool is_slot_index(const restored_world *r, uint32_t index) {
    return index >= 1 && index <= (uint32_t)r->world->body_used && r->bodies[index - 1].used;
}

static abut_status read_contacts(saved_stream *s, restored_world *r, int32_t expected) {
    contact_store *store = &r->contacts;
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
        save_contact(s, contact, &store->memory[i]);
        s->broken = s->broken || !is_slot_index(r, contact->a.index) || !is_slot_index(r, contact->b.index);
        contact->user_a = s->broken ? 0 : r->bodies[contact->a.index - 1].user;
        contact->user_b = s->broken ? 0 : r->bodies[contact->b.index - 1].user;
    }
    return judge(s);
}

static abut_status read_tracking(saved_stream *s, restored_world *r) {
    bool there = false;
    saved_bool(s, &there);
    s->broken = s->broken || (there && (size_t)r->pair_count > (s->size - s->at) / TRACKING_BYTES);
    if (s->broken || !there) {
        return judge(s);
    }
    contact_store *store = &r->contacts;
    store->tracking = saved_room(r->pair_count, sizeof *store->tracking);
    if (store->tracking == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    store->tracking_capacity = r->pair_count > 0 ? r->pair_count : 1;
    for (int32_t i = 0; i < r->pair_count && !s->broken; ++i) {
        save_tracking(s, &store->tracking[i]);
    }
    return judge(s);
}

static abut_status read_lists(saved_stream *s, restored_world *r) {
    int32_t contacts = 0;
    abut_status status = read_springs(s, r);
    status = status == ABUT_OK ? read_pairs(s, r, &contacts) : status;
    status = status == ABUT_OK ? read_contacts(s, r, contacts) : status;
    return status == ABUT_OK ? read_tracking(s, r) : status;
}

/* Reads all records after the head. */
static abut_status read_all(saved_stream *s, restored_world *r) {
    saved_int64(s, &r->step);
    saved_real(s, &r->time);
    s->broken = s->broken || r->step < 0 || !isfinite(r->time);
    abut_status status = judge(s);
    status = status == ABUT_OK ? read_bodies(s, r) : status;
    status = status == ABUT_OK ? read_lists(s, r) : status;
    status = status == ABUT_OK ? dem_restore(s, r->world, &r->dem) : status;
    status = status == ABUT_OK ? event_restore(s, &r->event) : status;
    if (status == ABUT_OK && r->version == CHANGED_VERSION) {
        status = changes_read(s, &r->gravity, r->bodies, r->world->body_used);
    }
    return status == ABUT_OK && s->at != s->size ? ABUT_ERROR_FORMAT : status;
}

/* Whole, not damaged, and of this format; then of this definition. */
static abut_status read_head(saved_stream *s, const abut_world *world, size_t size, uint32_t *version) {
    if (size < sizeof magic || memcmp(s->from, magic, sizeof magic) != 0) {
        return ABUT_ERROR_FORMAT;
    }
    s->at = sizeof magic;
    uint32_t stepper = 0;
    uint64_t whole = 0, def = 0;
    saved_uint32(s, version);
    saved_uint32(s, &stepper);
    saved_uint64(s, &whole);
    saved_uint64(s, &def);
    if (s->broken || whole != size) {
        return ABUT_ERROR_FORMAT;
    }
    saved_stream end = {.from = s->from, .size = size, .at = size - END_BYTES};
    uint64_t sum = 0;
    saved_uint64(&end, &sum);
    if (sum != digest_bytes(digest_begin(), s->from, size - END_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    if (*version != PLAIN_VERSION && *version != CHANGED_VERSION) {
        return ABUT_ERROR_UNSUPPORTED;
    }
    return stepper == (uint32_t)world->def.stepper && def == digest_of_def(world) ? ABUT_OK : ABUT_ERROR_FOREIGN;
}

/* ---- restoring ---- */

static void restore_bodies(abut_world *world, const restored_world *r) {
    for (int32_t slot = 0; slot < world->body_used; ++slot) {
        body *body = &world->bodies[slot];
        const broad_proxy *proxy = &r->proxies[slot];
        if (!r->bodies[slot].used) {
            abut_shape_release(body->shape);
            broad_remove(&world->broad, slot);
        } else if (proxy->kind == BROAD_PLANE) {
            broad_restore_plane(&world->broad, slot, proxy->normal, proxy->offset, proxy->changed);
        } else {
            broad_restore_box(&world->broad, slot, proxy->reach, proxy->fat, proxy->changed);
        }
        *body = r->bodies[slot];
    }
    world->body_free = r->body_free;
    world->body_count = r->body_count;
}

/* Exchanges the lists of the world and r. The caller releases r with the old lists. */
static void restore_lists(abut_world *world, restored_world *r) {
    restored_world before = {.springs = world->springs,
                             .pairs = world->broad.pairs,
                             .contacts = world->contacts,
                             .dem = world->dem,
                             .event = world->event,
                             .bodies = r->bodies,
                             .proxies = r->proxies};
    world->springs = r->springs;
    world->spring_used = r->spring_used;
    world->spring_capacity = r->spring_used > 0 ? r->spring_used : 1;
    world->spring_free = r->spring_free;
    world->broad.pairs = r->pairs;
    world->broad.pair_count = r->pair_count;
    world->broad.pair_capacity = r->pair_count > 0 ? r->pair_count : 1;
    world->contacts = r->contacts;
    world->dem = r->dem;
    world->event = r->event;
    world->step = r->step;
    world->time = r->time;
    *r = before;
}

abut_status abut_world_restore(abut_world *world, const void *saved, size_t size) {
    if (world == NULL || saved == NULL) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (size < HEAD_BYTES + END_BYTES) {
        return ABUT_ERROR_FORMAT;
    }
    saved_stream s = {.from = saved, .size = size - END_BYTES};
    restored_world r = {.world = world, .gravity = world->built_gravity};
    abut_status status = read_head(&s, world, size, &r.version);
    status = status == ABUT_OK ? read_all(&s, &r) : status;
    if (status == ABUT_OK) {
        world->def.gravity = r.gravity;
        restore_bodies(world, &r);
        restore_lists(world, &r);
    }
    release(&r);
    return status;
}
