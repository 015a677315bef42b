#include "world_book.h"

#include <math.h>

#include <abut/joint.h>
#include <abut/query.h>

#include "target.h"

/* ---- writing ---- */

static void write_touches(const abut_world *world, world_book *book) {
    const abut_world_contact *contacts;
    int32_t count;
    FUZZ_REQUIRE(abut_world_contacts(world, &contacts, &count) == ABUT_OK, "no contacts");
    for (int32_t i = 0; i < count; i++) {
        uint32_t a = contacts[i].a.index, b = contacts[i].b.index;
        FUZZ_REQUIRE(a > 0 && a < BOOK_SLOTS && b > 0 && b < BOOK_SLOTS && a != b, "a contact of %u and %u", a, b);
        if (contacts[i].contact.gap <= 0.0 || contacts[i].normal_force > 0.0) {
            book->touch[a][b] = book->touch[b][a] = true;
        }
    }
}

typedef struct placed {
    abut_body_id id;
    abut_body_info info;
    abut_body_state state;
} placed;

static bool sees(const placed *sensor, const placed *other) {
    bool overlap = false;
    bool still = sensor->info.kind == ABUT_BODY_STATIC && other->info.kind == ABUT_BODY_STATIC;
    if (!sensor->info.sensor || other->info.sensor || still || !abut_filters_agree(sensor->info.filter, other->info.filter)) {
        return false;
    }
    const abut_pair pair = {sensor->info.shape, sensor->state.pose, other->info.shape, other->state.pose};
    return abut_overlap(&pair, NULL, &overlap) == ABUT_OK && overlap;
}

void book_write(const abut_world *world, world_book *book) {
    abut_body_id ids[BOOK_SLOTS];
    placed bodies[BOOK_SLOTS];
    int32_t count;
    *book = (world_book){.generation = {0}};
    FUZZ_REQUIRE(abut_world_body_ids(world, ids, BOOK_SLOTS, &count) == ABUT_OK, "%d bodies", (int)count);
    for (int32_t i = 0; i < count; i++) {
        bodies[i].id = ids[i];
        bool fine = abut_world_body_info(world, ids[i], &bodies[i].info) == ABUT_OK &&
                    abut_world_body_state(world, ids[i], &bodies[i].state) == ABUT_OK;
        FUZZ_REQUIRE(fine && (i == 0 || ids[i - 1].index < ids[i].index), "body %u", ids[i].index);
        book->generation[ids[i].index] = ids[i].generation + 1;
        book->asleep[ids[i].index] = bodies[i].info.kind == ABUT_BODY_DYNAMIC && !bodies[i].state.awake;
    }
    for (int32_t i = 0; i < count; i++) {
        for (int32_t k = 0; k < count; k++) {
            book->seen[ids[i].index][ids[k].index] = i != k && sees(&bodies[i], &bodies[k]);
        }
    }
    write_touches(world, book);
}

/* ---- comparing ---- */

/* The number of events of a kind for a pair of slots. */
static int32_t told(const abut_world_event *events, int32_t count, abut_world_event_kind kind, uint32_t a, uint32_t b, bool ordered) {
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++) {
        uint32_t p = events[i].a.index, q = events[i].b.index;
        found += events[i].kind == kind && ((p == a && q == b) || (!ordered && p == b && q == a));
    }
    return found;
}

typedef struct comparison {
    const abut_world *world;
    const abut_world_event *events;
    int32_t count;
    uint32_t kinds;
} comparison;

static void require(const comparison *c, abut_world_event_kind kind, uint32_t a, uint32_t b, bool ordered, bool is) {
    int32_t expected = is && (c->kinds & (uint32_t)kind) != 0, found = told(c->events, c->count, kind, a, b, ordered);
    FUZZ_REQUIRE(found == expected, "event %d of %u and %u: told %d times instead of %d", (int)kind, a, b, (int)found, (int)expected);
}

static void compare_pair(const comparison *c, const world_book *before, const world_book *now, uint32_t a, uint32_t b) {
    bool fresh = before->generation[a] != now->generation[a] || before->generation[b] != now->generation[b];
    bool was = before->touch[a][b], is = now->touch[a][b], saw = before->seen[a][b], sees = now->seen[a][b];
    if (a < b) {
        require(c, ABUT_EVENT_TOUCH_BEGIN, a, b, false, is && (!was || fresh));
        require(c, ABUT_EVENT_TOUCH_PERSIST, a, b, false, is && was && !fresh);
        require(c, ABUT_EVENT_TOUCH_END, a, b, false, was && (!is || fresh));
    }
    require(c, ABUT_EVENT_SENSOR_BEGIN, a, b, true, sees && (!saw || fresh));
    require(c, ABUT_EVENT_SENSOR_END, a, b, true, saw && (!sees || fresh));
}

/* Numbers and order. A hit follows the begin of its touch, where begins are told. */
static void check_event(const comparison *c, int32_t i, double hit_speed) {
    const abut_world_event *e = &c->events[i];
    uint32_t kind = (uint32_t)e->kind;
    bool touches = (kind & (ABUT_EVENT_TOUCH_BEGIN | ABUT_EVENT_TOUCH_PERSIST | ABUT_EVENT_HIT)) != 0;
    FUZZ_REQUIRE((kind & c->kinds) == kind && kind != 0 && (kind & (kind - 1)) == 0, "kind %u", kind);
    FUZZ_REQUIRE(isfinite(e->impulse) && isfinite(e->speed) && (touches || (e->impulse == 0.0 && e->speed == 0.0)), "impulse %g, speed %g",
                 e->impulse, e->speed);
    if (e->kind == ABUT_EVENT_HIT) {
        const abut_world_event *last = i > 0 ? e - 1 : NULL;
        bool follows = last != NULL && last->kind == ABUT_EVENT_TOUCH_BEGIN && last->a.index == e->a.index && last->b.index == e->b.index;
        FUZZ_REQUIRE(e->speed >= hit_speed && (follows || (c->kinds & ABUT_EVENT_TOUCH_BEGIN) == 0), "a hit at %g", e->speed);
    }
    abut_joint_state joint = {.broken = false};
    bool breaks = e->kind == ABUT_EVENT_JOINT_BROKEN;
    FUZZ_REQUIRE(breaks == (e->joint.index != 0), "event %d with joint %u", (int)e->kind, e->joint.index);
    FUZZ_REQUIRE(!breaks || (abut_world_joint_state(c->world, e->joint, &joint) == ABUT_OK && joint.broken), "joint %u holds",
                 e->joint.index);
    const uint32_t groups[] = {ABUT_EVENT_SLEEP | ABUT_EVENT_WAKE, ABUT_EVENT_SENSOR_BEGIN | ABUT_EVENT_SENSOR_END};
    int32_t order[2];
    for (int32_t k = 0; k < 2 && i > 0; k++) {
        uint32_t of = (uint32_t)c->events[i - k].kind;
        order[k] = of == ABUT_EVENT_JOINT_BROKEN ? 3 : (of & groups[0]) != 0 ? 2 : (of & groups[1]) != 0 ? 1 : 0;
    }
    FUZZ_REQUIRE(i == 0 || order[1] <= order[0], "event %d is out of order", (int)i);
}

void book_check(const abut_world *world, const world_book *before, const world_book *now, uint32_t kinds, double hit_speed) {
    comparison c = {.world = world, .kinds = kinds};
    FUZZ_REQUIRE(abut_world_events(world, &c.events, &c.count) == ABUT_OK, "no events");
    FUZZ_REQUIRE(kinds != 0 || c.count == 0, "%d events of a world that lists none", (int)c.count);
    for (uint32_t a = 1; a < BOOK_SLOTS && kinds != 0; a++) {
        for (uint32_t b = 1; b < BOOK_SLOTS; b++) {
            compare_pair(&c, before, now, a, b);
        }
        bool same = before->generation[a] == now->generation[a], slept = before->asleep[a] && same;
        require(&c, ABUT_EVENT_SLEEP, a, 0, true, now->asleep[a] && !slept);
        require(&c, ABUT_EVENT_WAKE, a, 0, true, slept && !now->asleep[a] && now->generation[a] != 0);
    }
    for (int32_t i = 0; i < c.count; i++) {
        check_event(&c, i, hit_speed);
    }
}
