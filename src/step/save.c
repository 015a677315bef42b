/*
 * Conversion of a world to bytes and back. The bytes hold all state that a step reads from earlier steps. The definition, the shapes and the properties of
 * bodies are not saved; digests tell whether the restored world has the same ones. This file fixes the order of the parts: head, state of the world
 * (step/world/state.h), state of the DEM stepper and of the event stepper, changes, digest of all bytes before it. Restoring reads into separate records
 * first and changes the world only when nothing can fail any more.
 *
 * Version 3 of the format ends with the values that callers have changed since the world was built (step/world/changes.h). A world without such changes is
 * written as version 1. Version 4 is that of worlds with joints: these follow the changes, of which there may be none. Version 5 is that of worlds that list
 * events: it ends with their lists, after the joints, of which there may be none. Version 6 is that of worlds with other things that few have
 * (step/world/extras.h): they stand between the joints and the lists, of which there may be none. Version 7 is that of worlds of the dem stepper whose
 * contacts remember rolling: this stands between the extras and the lists, of which there may be none. Version 8 is that of
 * worlds with bonds: these follow what contacts remember of rolling. Version 9 is that of worlds with elastic cells: these follow the bonds, of which there may
 * be none. Version 10 is that of worlds of the dem stepper whose list of near pairs goes on: it follows the cells, of which there may be none, and a byte in
 * front of what contacts remember of rolling tells whether that is there. Version 2 had no filters, and is refused.
 */
#include <string.h>

#include "base/argument.h"
#include "base/digest.h"
#include "base/memory.h"
#include "step/dem/stepper.h"
#include "step/event/stepper.h"
#include "step/touch/events.h"
#include "step/world/bond/bonds.h"
#include "step/world/cell/cells.h"
#include "step/world/changes.h"
#include "step/world/digest.h"
#include "step/world/extras.h"
#include "step/world/joints.h"
#include "step/world/state.h"

static const unsigned char magic[8] = {'a', 'b', 'u', 't', 'w', 'o', 'r', 'l'};

enum {
    PLAIN_VERSION = 1,
    CHANGED_VERSION = 3,
    JOINTED_VERSION = 4,
    LISTED_VERSION = 5,
    EXTRA_VERSION = 6,
    ROLLING_VERSION = 7,
    BONDED_VERSION = 8,
    CELLED_VERSION = 9,
    NEAR_VERSION = 10,
    HEAD_BYTES = 8 + 4 + 4 + 8 + 8,
    END_BYTES = 8
};

/* ---- saving ---- */

static void save_all(saved_stream *s, const abut_world *world, uint64_t size, const uint64_t *digests) {
    for (size_t i = 0; i < sizeof magic; ++i) {
        uint64_t byte = magic[i];
        saved_bits(s, &byte, 1);
    }
    const bool near = dem_list_exists(world), celled = near || cells_exist(world), bonded = celled || bonds_exist(world),
               rolling = bonded || dem_rolls_exist(world), extra = rolling || extras_exist(world), listed = extra || world->def.events != 0,
               jointed = listed || joints_exist(world);
    const bool changed = jointed || changes_exist(world);
    uint32_t version = near      ? NEAR_VERSION
                       : celled  ? CELLED_VERSION
                       : bonded  ? BONDED_VERSION
                       : rolling ? ROLLING_VERSION
                       : extra   ? EXTRA_VERSION
                       : listed  ? LISTED_VERSION
                       : jointed ? JOINTED_VERSION
                       : changed ? CHANGED_VERSION
                                 : PLAIN_VERSION;
    uint32_t stepper = (uint32_t)world->def.stepper;
    uint64_t def = world_digest_of_def(world);
    saved_uint32(s, &version);
    saved_uint32(s, &stepper);
    saved_uint64(s, &size);
    saved_uint64(s, &def);
    world_state_save(s, world, digests);
    dem_save(s, world);
    event_save(s, world);
    if (changed) {
        changes_save(s, world);
    }
    if (jointed) {
        joints_save(s, world);
    }
    if (extra) {
        extras_save(s, world);
    }
    bool rolls = !near || dem_rolls_exist(world);
    if (near) {
        saved_bool(s, &rolls);
    }
    if (rolling && rolls) {
        dem_rolls_save(s, world->dem);
    }
    if (bonded) {
        bonds_save(s, world);
    }
    if (celled) {
        cells_save(s, world);
    }
    if (near) {
        dem_list_save(s, world);
    }
    if (listed) {
        events_save(s, world);
    }
}

abut_status abut_world_save(const abut_world *world, void *saved, size_t capacity, size_t *size) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_null(CALL_NAME, "size", size) ||
        (capacity > 0 && argument_is_null(CALL_NAME, "saved", saved))) {
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
    uint64_t *digests = world_digests_of_bodies(world);
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

/* ---- restoring ---- */

/* Checks that the bytes are complete, undamaged and of a known version, and that the world has the definition that was saved. */
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
    if (*version != PLAIN_VERSION && (*version < CHANGED_VERSION || *version > NEAR_VERSION)) {
        return ABUT_ERROR_UNSUPPORTED;
    }
    return stepper == (uint32_t)world->def.stepper && def == world_digest_of_def(world) ? ABUT_OK : ABUT_ERROR_FOREIGN;
}

/* A state that was read. */
typedef struct restored_world {
    uint32_t version; /* of the format */
    world_state state;
    struct dem_stepper *dem;
    struct event_stepper *event;
    joint_list joints;
    bond_list bonds;
    cells_kept cells;
    extras extras;
    touch_kept events;
} restored_world;

static void release(restored_world *r) {
    world_state_release(&r->state);
    dem_release(r->dem);
    event_release(r->event);
    memory_release(r->joints.joints);
    memory_release(r->bonds.bonds);
    cells_release(&r->cells);
    extras_release(&r->extras);
    events_release_kept(&r->events);
}

/* Reads all parts after the head. */
static abut_status read_all(saved_stream *s, restored_world *r) {
    const abut_world *world = r->state.world;
    abut_status status = world_state_read(s, &r->state);
    status = status == ABUT_OK ? dem_restore(s, world, &r->dem) : status;
    status = status == ABUT_OK ? event_restore(s, &r->event) : status;
    if (status == ABUT_OK && r->version >= CHANGED_VERSION) {
        status = changes_read(s, &r->state.gravity, r->state.bodies, world->body_used);
    }
    if (status == ABUT_OK && r->version >= JOINTED_VERSION) {
        status = joints_read(s, r->state.bodies, world->body_used, &r->joints);
    }
    if (status == ABUT_OK && r->version >= EXTRA_VERSION) {
        status = extras_read(s, r->state.bodies, world->body_used, &r->extras);
    }
    bool rolls = r->version >= ROLLING_VERSION;
    if (status == ABUT_OK && r->version >= NEAR_VERSION) {
        saved_bool(s, &rolls);
    }
    if (status == ABUT_OK && rolls) {
        dem_rolls_save(s, r->dem);
        status = s->broken ? ABUT_ERROR_FORMAT : ABUT_OK;
    }
    if (status == ABUT_OK && r->version >= BONDED_VERSION) {
        status = bonds_read(s, r->state.bodies, world->body_used, &r->bonds);
    }
    if (status == ABUT_OK && r->version >= CELLED_VERSION) {
        status = cells_read(s, r->state.bodies, world->body_used, &r->cells);
    }
    if (status == ABUT_OK && r->version >= NEAR_VERSION) {
        status = dem_list_read(s, r->state.bodies, world->body_used, r->dem);
    }
    if (status == ABUT_OK && r->version >= LISTED_VERSION) {
        status = events_read(s, world, &r->events);
    }
    return status == ABUT_OK && s->at != s->size ? ABUT_ERROR_FORMAT : status;
}

/* Exchanges the states of the world and r. The caller releases r with the old lists and steppers. */
static void exchange(abut_world *world, restored_world *r) {
    struct dem_stepper *dem = world->dem;
    struct event_stepper *event = world->event;
    world_state_restore(world, &r->state);
    world->dem = r->dem;
    world->event = r->event;
    r->dem = dem;
    r->event = event;
    joints_exchange(world, &r->joints);
    bond_list bonds = world->bonds;
    world->bonds = r->bonds;
    r->bonds = bonds;
    extras_exchange(world, &r->extras);
    cells_restore(world, &r->cells);
    dem_list_restored(world);
}

abut_status abut_world_restore(abut_world *world, const void *saved, size_t size) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_null(CALL_NAME, "saved", saved)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (size < HEAD_BYTES + END_BYTES) {
        return ABUT_ERROR_FORMAT;
    }
    saved_stream s = {.from = saved, .size = size - END_BYTES};
    restored_world r = {.state = {.world = world}, .joints = {.free = -1}, .bonds = {.free = -1}};
    abut_status status = read_head(&s, world, size, &r.version);
    status = status == ABUT_OK ? read_all(&s, &r) : status;
    if (status == ABUT_OK) {
        exchange(world, &r);
        events_restored(world, &r.events);
    }
    release(&r);
    return status;
}
