#include "step/touch/events.h"

#include <stdlib.h>

#include "base/argument.h"
#include "base/array.h"
#include "base/memory.h"

touch_events *events_create(void) { return memory_allocate(1, sizeof(touch_events)); }

static bool lists(const abut_world *world, uint32_t kinds) { return (world->def.events & kinds) != 0; }

/* ---- before a step ---- */

bool events_begin(abut_world *world) {
    touch_events *e = world->events;
    if (!lists(world, ABUT_EVENT_HIT)) {
        return true;
    }
    if (!array_reserve(&e->motions, &e->motion_capacity, world->body_used, sizeof *e->motions)) {
        return false;
    }
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        const body *body = &world->bodies[slot];
        e->motions[slot] = (touch_motion){body->centre, {body->velocity, body->angular_velocity}};
    }
    return true;
}

/* ---- lists of events ---- */

static void add(abut_world *world, const abut_world_event *event) {
    touch_events *e = world->events;
    if (!lists(world, (uint32_t)event->kind) || e->lost) {
        return;
    }
    e->lost = !array_extend(&e->events, &e->capacity, e->count, e->count + 1, sizeof *e->events);
    if (!e->lost) {
        e->events[e->count++] = *event;
    }
}

/* ---- pairs ---- */

static abut_vec3 velocity_at(const touch_motion *m, abut_vec3 point) {
    return abut_add(m->motion.linear, abut_cross(m->motion.angular, abut_sub(point, m->centre)));
}

/* The speed at which the deepest contact closed when the step began. */
static double approach(const abut_world *world, const touch_pair *pair) {
    const touch_motion *motions = world->events->motions;
    const abut_contact *contact = &world->contacts.contacts[pair->deepest].contact;
    abut_vec3 point = abut_lerp(contact->on_a, contact->on_b, 0.5);
    abut_vec3 of_a = velocity_at(&motions[pair->a], point), of_b = velocity_at(&motions[pair->b], point);
    return -abut_dot(contact->normal, abut_sub(of_a, of_b));
}

static touch_pair pair_of(const abut_world *world, const broad_pair *pair) {
    const body *a = &world->bodies[pair->a], *b = &world->bodies[pair->b];
    return (touch_pair){pair->a, pair->b, body_id_of(world, pair->a), body_id_of(world, pair->b),
                        a->user, b->user, pair->contact_first,        0.0};
}

/* False when the pair does not touch. */
static bool find_touch(const abut_world *world, const broad_pair *pair, touch_pair *found) {
    const abut_world_contact *contacts = world->contacts.contacts;
    bool touches = false;
    *found = pair_of(world, pair);
    for (int32_t i = pair->contact_first; i < pair->contact_first + pair->contact_count; i++) {
        touches = touches || contacts[i].contact.gap <= 0.0 || contacts[i].normal_force > 0.0;
        found->force += contacts[i].normal_force;
        found->deepest = contacts[i].contact.gap < contacts[found->deepest].contact.gap ? i : found->deepest;
    }
    return touches;
}

static int64_t key_of(const touch_pair *pair) {
    int32_t low = pair->a < pair->b ? pair->a : pair->b, high = pair->a < pair->b ? pair->b : pair->a;
    return (int64_t)low << 32 | (int64_t)high;
}

static int by_key(const void *p, const void *q) {
    int64_t first = key_of(p), second = key_of(q);
    int order = (first > second) - (first < second);
    const touch_pair *a = p, *b = q;
    return order != 0 ? order : (a->deepest > b->deepest) - (a->deepest < b->deepest);
}

/* The dem stepper lists pairs in another order, and a pair once for each region where it touches. */
static int32_t in_order(const abut_world *world, touch_pair *pairs, int32_t count) {
    int32_t kept = 0;
    bool sorted = true;
    for (int32_t i = 1; i < count && sorted; i++) {
        sorted = key_of(&pairs[i - 1]) < key_of(&pairs[i]);
    }
    if (sorted) {
        return count;
    }
    qsort(pairs, (size_t)count, sizeof *pairs, by_key);
    for (int32_t i = 0; i < count; i++) {
        touch_pair *last = kept > 0 ? &pairs[kept - 1] : NULL;
        if (last == NULL || key_of(last) != key_of(&pairs[i])) {
            pairs[kept++] = pairs[i];
            continue;
        }
        const abut_world_contact *contacts = world->contacts.contacts;
        double force = last->force + pairs[i].force;
        *last = contacts[pairs[i].deepest].contact.gap < contacts[last->deepest].contact.gap ? pairs[i] : *last;
        last->force = force;
    }
    return kept;
}

/* The pairs that touch now, in e->spare. Returns their number; -1 when there is no memory. */
static int32_t find_pairs(abut_world *world) {
    touch_events *e = world->events;
    int32_t count = 0;
    for (int32_t p = 0; p < world->broad.pair_count; p++) {
        touch_pair found;
        if (!find_touch(world, &world->broad.pairs[p], &found)) {
            continue;
        }
        if (!array_extend(&e->spare, &e->spare_capacity, count, count + 1, sizeof *e->spare)) {
            return -1;
        }
        e->spare[count++] = found;
    }
    return in_order(world, e->spare, count);
}

static bool same_id(abut_body_id p, abut_body_id q) { return p.index == q.index && p.generation == q.generation; }

static abut_world_event event_of(abut_world_event_kind kind, const touch_pair *pair) {
    return (abut_world_event){.kind = kind, .a = pair->id_a, .b = pair->id_b, .user_a = pair->user_a, .user_b = pair->user_b};
}

static void tell_end(abut_world *world, const touch_pair *pair) {
    const abut_world_event event = event_of(ABUT_EVENT_TOUCH_END, pair);
    add(world, &event);
}

static void tell_touch(abut_world *world, const touch_pair *pair, bool begins, double dt) {
    abut_world_event event = event_of(begins ? ABUT_EVENT_TOUCH_BEGIN : ABUT_EVENT_TOUCH_PERSIST, pair);
    event.contact = world->contacts.contacts[pair->deepest].contact;
    event.impulse = pair->force * dt;
    add(world, &event);
    if (begins && lists(world, ABUT_EVENT_HIT)) {
        event.kind = ABUT_EVENT_HIT;
        event.speed = approach(world, pair);
        if (event.speed >= world->def.hit_speed) {
            add(world, &event);
        }
    }
}

/* Goes through the pairs of both steps in their order. */
static void compare_pairs(abut_world *world, int32_t count, double dt) {
    const touch_events *e = world->events;
    int32_t old = 0;
    for (int32_t i = 0; i < count; i++) {
        const touch_pair *now = &e->spare[i];
        for (; old < e->pair_count && key_of(&e->pairs[old]) < key_of(now); old++) {
            tell_end(world, &e->pairs[old]);
        }
        bool known = old < e->pair_count && key_of(&e->pairs[old]) == key_of(now);
        const touch_pair *was = known ? &e->pairs[old] : NULL;
        bool same = known && ((same_id(was->id_a, now->id_a) && same_id(was->id_b, now->id_b)) ||
                              (same_id(was->id_a, now->id_b) && same_id(was->id_b, now->id_a)));
        if (known && !same) {
            tell_end(world, was);
        }
        tell_touch(world, now, !same, dt);
        old += known;
    }
    for (; old < e->pair_count; old++) {
        tell_end(world, &e->pairs[old]);
    }
}

/* Makes the pairs that were found those of the last step. */
static void keep_pairs(touch_events *e, int32_t count) {
    touch_pair *pairs = e->pairs;
    int32_t capacity = e->pair_capacity;
    e->pairs = e->spare;
    e->pair_capacity = e->spare_capacity;
    e->pair_count = count;
    e->spare = pairs;
    e->spare_capacity = capacity;
}

/* ---- sensors ---- */

static int compare_sensors(const sensor_pair *p, const sensor_pair *q) {
    return p->sensor != q->sensor ? (p->sensor > q->sensor) - (p->sensor < q->sensor) : (p->other > q->other) - (p->other < q->other);
}

static void tell_sensor(abut_world *world, abut_world_event_kind kind, const sensor_pair *pair) {
    const abut_world_event event = {
        .kind = kind, .a = pair->id_sensor, .b = pair->id_other, .user_a = pair->user_sensor, .user_b = pair->user_other};
    add(world, &event);
}

static void compare_seen(abut_world *world, const sensor_list *before, const sensor_list *now) {
    int32_t old = 0, i = 0;
    while (old < before->count || i < now->count) {
        const sensor_pair *was = old < before->count ? &before->pairs[old] : NULL, *is = i < now->count ? &now->pairs[i] : NULL;
        int order = was == NULL ? 1 : is == NULL ? -1 : compare_sensors(was, is);
        bool same = order == 0 && same_id(was->id_sensor, is->id_sensor) && same_id(was->id_other, is->id_other);
        if (order <= 0 && !same) {
            tell_sensor(world, ABUT_EVENT_SENSOR_END, was);
        }
        if (order >= 0 && !same) {
            tell_sensor(world, ABUT_EVENT_SENSOR_BEGIN, is);
        }
        old += order <= 0;
        i += order >= 0;
    }
}

/* ---- sleep ---- */

static abut_body_id sleeper(const abut_world *world, int32_t slot) {
    const body *body = &world->bodies[slot];
    return body->used && body->asleep ? body_id_of(world, slot) : (abut_body_id){0, 0};
}

static bool reserve_sleeping(abut_world *world) {
    touch_events *e = world->events;
    if (!array_extend(&e->sleeping, &e->sleeping_capacity, e->sleeping_used, world->body_used, sizeof *e->sleeping)) {
        return false;
    }
    for (; e->sleeping_used < world->body_used; e->sleeping_used++) {
        e->sleeping[e->sleeping_used] = (abut_body_id){0, 0};
    }
    return true;
}

static void compare_sleep(abut_world *world) {
    touch_events *e = world->events;
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        abut_body_id was = e->sleeping[slot], now = sleeper(world, slot);
        bool there = world->bodies[slot].used && world->bodies[slot].generation == was.generation;
        if (!same_id(was, now) && (now.index != 0 || (was.index != 0 && there))) {
            abut_world_event event = {.kind = now.index != 0 ? ABUT_EVENT_SLEEP : ABUT_EVENT_WAKE, .a = body_id_of(world, slot)};
            event.user_a = world->bodies[slot].user;
            add(world, &event);
        }
    }
}

static void keep_sleep(abut_world *world) {
    for (int32_t slot = 0; slot < world->body_used; slot++) {
        world->events->sleeping[slot] = sleeper(world, slot);
    }
}

/* ---- joints ---- */

static abut_joint_id broken_joint(const abut_world *world, int32_t slot) {
    const world_joint *joint = &world->joints[slot];
    return joint->used && joint->broken ? (abut_joint_id){(uint32_t)slot + 1, joint->generation} : (abut_joint_id){0, 0};
}

static bool reserve_broken(abut_world *world) {
    touch_events *e = world->events;
    if (e->broken_used < world->joint_used &&
        !array_extend(&e->broken, &e->broken_capacity, e->broken_used, world->joint_used, sizeof *e->broken)) {
        return false;
    }
    for (; e->broken_used < world->joint_used; e->broken_used++) {
        e->broken[e->broken_used] = (abut_joint_id){0, 0};
    }
    return true;
}

static void compare_joints(abut_world *world) {
    for (int32_t slot = 0; slot < world->joint_used; slot++) {
        const world_joint *joint = &world->joints[slot];
        abut_joint_id was = world->events->broken[slot], now = broken_joint(world, slot);
        if (now.index != 0 && (was.index == 0 || was.generation != now.generation)) {
            abut_world_event event = {.kind = ABUT_EVENT_JOINT_BROKEN, .joint = now};
            event.a = body_id_of(world, joint->a);
            event.b = body_id_of(world, joint->b);
            event.user_a = world->bodies[joint->a].user;
            event.user_b = world->bodies[joint->b].user;
            add(world, &event);
        }
    }
}

/* A world that was restored may have fewer slots than before. */
static void keep_broken(abut_world *world) {
    touch_events *e = world->events;
    for (int32_t slot = 0; slot < e->broken_used; slot++) {
        e->broken[slot] = slot < world->joint_used ? broken_joint(world, slot) : (abut_joint_id){0, 0};
    }
}

/* ---- after a step ---- */

/* What is now: pairs, what sensors see. False when there is no memory. */
static bool look(abut_world *world, int32_t *pair_count, sensor_list *seen) {
    *pair_count = lists(world, OF_TOUCH) ? find_pairs(world) : 0;
    return *pair_count >= 0 && (!lists(world, OF_SENSORS) || sensors_look(world, seen)) &&
           (!lists(world, OF_SLEEP) || reserve_sleeping(world)) && (!lists(world, ABUT_EVENT_JOINT_BROKEN) || reserve_broken(world));
}

static void keep(abut_world *world, int32_t pair_count, const sensor_list *seen) {
    touch_events *e = world->events;
    keep_pairs(e, pair_count);
    sensors_release(&e->sensors);
    e->sensors = *seen;
    if (lists(world, OF_SLEEP)) {
        keep_sleep(world);
    }
    if (lists(world, ABUT_EVENT_JOINT_BROKEN)) {
        keep_broken(world);
    }
}

void events_end(abut_world *world, double dt) {
    touch_events *e = world->events;
    sensor_list seen = {.count = 0};
    int32_t pairs = 0;
    e->count = 0;
    e->lost = false;
    if (world->def.events == 0) {
        return;
    }
    e->lost = !look(world, &pairs, &seen);
    if (!e->lost) {
        compare_pairs(world, pairs, dt);
        compare_seen(world, &e->sensors, &seen);
        if (lists(world, OF_SLEEP)) {
            compare_sleep(world);
        }
        if (lists(world, ABUT_EVENT_JOINT_BROKEN)) {
            compare_joints(world);
        }
    }
    if (e->lost) {
        e->count = 0;
        sensors_release(&seen);
        return;
    }
    keep(world, pairs, &seen);
}

/* Exchanges the lists of `kinds` with those that were kept. */
static void exchange(abut_world *world, uint32_t kinds, touch_kept *kept) {
    touch_events *e = world->events;
    if ((kinds & OF_TOUCH) != 0) {
        touch_pair *pairs = e->pairs;
        e->pairs = kept->pairs;
        e->pair_count = kept->pair_count;
        e->pair_capacity = kept->pair_count > 0 ? kept->pair_count : 1;
        kept->pairs = pairs;
    }
    if ((kinds & OF_SENSORS) != 0) {
        sensor_list seen = e->sensors;
        e->sensors = kept->sensors;
        kept->sensors = seen;
    }
    if ((kinds & OF_SLEEP) != 0) {
        abut_body_id *sleeping = e->sleeping;
        e->sleeping = kept->sleeping;
        e->sleeping_used = world->body_used;
        e->sleeping_capacity = world->body_used > 0 ? world->body_used : 1;
        kept->sleeping = sleeping;
    }
}

static bool lists_more(const abut_world *world, uint32_t kinds) {
    const uint32_t groups[] = {OF_TOUCH, OF_SENSORS, OF_SLEEP};
    bool more = false;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        more = more || (lists(world, groups[i]) && (kinds & groups[i]) == 0);
    }
    return more;
}

void events_restored(abut_world *world, touch_kept *kept) {
    touch_events *e = world->events;
    sensor_list seen = {.count = 0};
    int32_t pairs = 0;
    const bool more = lists_more(world, kept->kinds);
    e->count = 0;
    e->lost = more && !look(world, &pairs, &seen);
    if (more && !e->lost) {
        keep(world, pairs, &seen);
    } else {
        sensors_release(&seen);
    }
    exchange(world, kept->kinds & world->def.events, kept);
    if (lists(world, ABUT_EVENT_JOINT_BROKEN)) { /* the saved joints tell whether they are broken */
        e->lost = !reserve_broken(world) || e->lost;
        keep_broken(world);
    }
}

void events_release(touch_events *e) {
    if (e != NULL) {
        sensors_release(&e->sensors);
        void *blocks[] = {e->events, e->pairs, e->spare, e->motions, e->sleeping, e->broken, e};
        for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
            memory_release(blocks[i]);
        }
    }
}

abut_status abut_world_events(const abut_world *world, const abut_world_event **events, int32_t *count) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_null(CALL_NAME, "events", events) ||
        argument_is_null(CALL_NAME, "count", count)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (world->events->lost) {
        return ABUT_ERROR_OUT_OF_MEMORY;
    }
    *events = world->events->events;
    *count = world->events->count;
    return ABUT_OK;
}
