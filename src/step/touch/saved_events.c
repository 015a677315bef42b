/* The lists of the events in a saved state. Bodies that touched, were seen or slept after the last step may have been removed since then. */
#include "base/memory.h"
#include "step/touch/events.h"

enum { PAIR_BYTES = 16, SLEEPER_BYTES = 8 };

/* A slot and the generation of its body. */
static void save_id(saved_stream *s, int32_t *slot, abut_body_id *id) {
    saved_int32(s, slot);
    saved_uint32(s, &id->generation);
    id->index = (uint32_t)*slot + 1;
}

/* ---- saving ---- */

static void save_pairs(saved_stream *s, const touch_events *e) {
    int32_t count = e->pair_count;
    saved_int32(s, &count);
    for (int32_t i = 0; i < count; i++) {
        touch_pair pair = e->pairs[i];
        save_id(s, &pair.a, &pair.id_a);
        save_id(s, &pair.b, &pair.id_b);
    }
}

static void save_sensors(saved_stream *s, const sensor_list *list) {
    int32_t count = list->count;
    saved_int32(s, &count);
    for (int32_t i = 0; i < count; i++) {
        sensor_pair pair = list->pairs[i];
        save_id(s, &pair.sensor, &pair.id_sensor);
        save_id(s, &pair.other, &pair.id_other);
    }
}

static void save_sleeping(saved_stream *s, const touch_events *e) {
    int32_t count = 0;
    for (int32_t slot = 0; slot < e->sleeping_used; slot++) {
        count += e->sleeping[slot].index != 0;
    }
    saved_int32(s, &count);
    for (int32_t slot = 0; slot < e->sleeping_used; slot++) {
        abut_body_id id = e->sleeping[slot];
        if (id.index != 0) {
            save_id(s, &slot, &id);
        }
    }
}

void events_save(saved_stream *s, const abut_world *world) {
    uint32_t kinds = world->def.events;
    saved_uint32(s, &kinds);
    save_pairs(s, world->events);
    save_sensors(s, &world->events->sensors);
    save_sleeping(s, world->events);
}

/* ---- reading ---- */

static bool is_pair(const abut_world *world, int32_t a, int32_t b) {
    return a >= 0 && a < world->body_used && b >= 0 && b < world->body_used && a != b;
}

static uint64_t user_of(const abut_world *world, abut_body_id id) {
    int32_t slot = body_find(world, id);
    return slot >= 0 ? world->bodies[slot].user : 0;
}

static bool follows(int32_t a, int32_t b, int32_t after_a, int32_t after_b) { return a != after_a ? a > after_a : b > after_b; }

static abut_status read_pairs(saved_stream *s, const abut_world *world, touch_kept *kept) {
    if (!saved_count(s, &kept->pair_count, PAIR_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    kept->pairs = saved_room(kept->pair_count, sizeof *kept->pairs);
    if (kept->pairs == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0, low = -1, high = -1; i < kept->pair_count && !s->broken; i++) {
        touch_pair *pair = &kept->pairs[i];
        save_id(s, &pair->a, &pair->id_a);
        save_id(s, &pair->b, &pair->id_b);
        int32_t least = pair->a < pair->b ? pair->a : pair->b, most = pair->a < pair->b ? pair->b : pair->a;
        s->broken = s->broken || !is_pair(world, pair->a, pair->b) || !follows(least, most, low, high);
        low = least;
        high = most;
        pair->user_a = s->broken ? 0 : user_of(world, pair->id_a);
        pair->user_b = s->broken ? 0 : user_of(world, pair->id_b);
    }
    return s->broken ? ABUT_ERROR_FORMAT : ABUT_OK;
}

static abut_status read_sensors(saved_stream *s, const abut_world *world, sensor_list *list) {
    if (!saved_count(s, &list->count, PAIR_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    list->pairs = saved_room(list->count, sizeof *list->pairs);
    if (list->pairs == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    list->capacity = list->count > 0 ? list->count : 1;
    for (int32_t i = 0, sensor = -1, other = -1; i < list->count && !s->broken; i++) {
        sensor_pair *pair = &list->pairs[i];
        save_id(s, &pair->sensor, &pair->id_sensor);
        save_id(s, &pair->other, &pair->id_other);
        s->broken = s->broken || !is_pair(world, pair->sensor, pair->other) || !follows(pair->sensor, pair->other, sensor, other);
        sensor = pair->sensor;
        other = pair->other;
        pair->user_sensor = s->broken ? 0 : user_of(world, pair->id_sensor);
        pair->user_other = s->broken ? 0 : user_of(world, pair->id_other);
    }
    return s->broken ? ABUT_ERROR_FORMAT : ABUT_OK;
}

static abut_status read_sleeping(saved_stream *s, const abut_world *world, touch_kept *kept) {
    int32_t count = 0;
    if (!saved_count(s, &count, SLEEPER_BYTES)) {
        return ABUT_ERROR_FORMAT;
    }
    kept->sleeping = saved_room(world->body_used, sizeof *kept->sleeping);
    if (kept->sleeping == NULL) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    for (int32_t i = 0, last = -1; i < count && !s->broken; i++) {
        int32_t slot = -1;
        abut_body_id id;
        save_id(s, &slot, &id);
        s->broken = s->broken || slot <= last || slot >= world->body_used;
        if (!s->broken) {
            kept->sleeping[slot] = id;
            last = slot;
        }
    }
    return s->broken ? ABUT_ERROR_FORMAT : ABUT_OK;
}

abut_status events_read(saved_stream *s, const abut_world *world, touch_kept *kept) {
    saved_uint32(s, &kept->kinds);
    if (s->broken || (kept->kinds & ~(uint32_t)ABUT_EVENT_ALL) != 0) {
        return ABUT_ERROR_FORMAT;
    }
    abut_status status = read_pairs(s, world, kept);
    status = status == ABUT_OK ? read_sensors(s, world, &kept->sensors) : status;
    return status == ABUT_OK ? read_sleeping(s, world, kept) : status;
}

void events_release_kept(touch_kept *kept) {
    sensors_release(&kept->sensors);
    memory_release(kept->pairs);
    memory_release(kept->sleeping);
}
