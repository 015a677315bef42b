/* Parts of a saved state that few worlds have: see extras.h. */
#include "step/world/extras.h"

#include <string.h>

#include "base/memory.h"
#include "step/world/meet/excluded.h"

enum { BELT_BYTES = 4 + 6 * 8 };

/* By their bits, like other changed values (step/world/changes.c). */
static bool has_other_belt(const body *b) { return b->used && memcmp(&b->belt, &b->built_belt, sizeof b->belt) != 0; }

static int32_t count_belts(const abut_world *world) {
    int32_t count = 0;
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        count += has_other_belt(&world->bodies[slot]);
    }
    return count;
}

void extras_release(extras *e) { memory_release(e->excluded.keys); }

bool extras_exist(const abut_world *world) { return world->excluded.count > 0 || count_belts(world) > 0; }

static void save_belt(saved_stream *s, int32_t *slot, abut_motion *belt) {
    saved_int32(s, slot);
    saved_vec3(s, &belt->linear);
    saved_vec3(s, &belt->angular);
}

void extras_save(saved_stream *s, const abut_world *world) {
    int32_t belts = count_belts(world);
    excluded_save(s, world);
    saved_int32(s, &belts);
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        if (has_other_belt(&world->bodies[slot])) {
            abut_motion belt = world->bodies[slot].belt;
            save_belt(s, &slot, &belt);
        }
    }
}

static abut_status read_belts(saved_stream *s, body *bodies, int32_t body_used) {
    int32_t count = 0;
    if (!saved_count(s, &count, BELT_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    for (int32_t i = 0, last = -1; i < count; i++) {
        int32_t slot = -1;
        abut_motion belt;
        save_belt(s, &slot, &belt);
        if (s->broken || slot <= last || slot >= body_used || !bodies[slot].used || !abut_vec3_is_finite(belt.linear) ||
            !abut_vec3_is_finite(belt.angular)) {
            return ABUT_ERROR_FORMAT;
        }
        bodies[slot].belt = belt;
        body_follow_belt(&bodies[slot]);
        last = slot;
    }
    return ABUT_OK;
}

abut_status extras_read(saved_stream *s, body *bodies, int32_t body_used, extras *e) {
    abut_status status = excluded_read(s, bodies, body_used, &e->excluded);
    return status == ABUT_OK ? read_belts(s, bodies, body_used) : status;
}

void extras_exchange(abut_world *world, extras *e) {
    excluded_pairs before = world->excluded;
    world->excluded = e->excluded;
    e->excluded = before;
}
