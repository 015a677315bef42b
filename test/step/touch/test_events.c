/* Events of a step, beside a second bookkeeping over random worlds; closed forms for hits, sensors and sleep; saved worlds and refused memory. */
#include <abut/abut.h>

#include <stdlib.h>
#include <string.h>

#include "base/digest.h"
#include "support/allocator.h"
#include "support/bodies.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

enum { MOST = 40, SLOTS = 64 };

static abut_world *make(abut_stepper stepper, uint32_t events, int32_t threads, double gravity) {
    abut_world_def def = abut_world_def_default();
    def.stepper = stepper;
    def.events = events;
    def.gravity.z = -gravity;
    def.parallel.threads = threads;
    abut_world *world;
    assert_ok(abut_world_create(&def, &world));
    return world;
}

static int32_t events_of(const abut_world *world, const abut_world_event **events) {
    int32_t count;
    assert_ok(abut_world_events(world, events, &count));
    return count;
}

static int32_t count_of(const abut_world *world, abut_world_event_kind kind) {
    const abut_world_event *events;
    int32_t count = events_of(world, &events), found = 0;
    for (int32_t i = 0; i < count; i++) {
        found += events[i].kind == kind;
    }
    return found;
}

/* ---- the second bookkeeping: matrices by slots ---- */

typedef struct book {
    bool touch[SLOTS][SLOTS], seen[SLOTS][SLOTS], asleep[SLOTS];
    uint32_t generation[SLOTS];
} book;

static void write_down(const abut_world *world, book *b) {
    abut_body_id ids[SLOTS];
    int32_t bodies, count;
    const abut_world_contact *contacts;
    *b = (book){.generation = {0}};
    assert_ok(abut_world_body_ids(world, ids, SLOTS, &bodies));
    assert_ok(abut_world_contacts(world, &contacts, &count));
    for (int32_t i = 0; i < count; i++) {
        if (contacts[i].contact.gap <= 0.0 || contacts[i].normal_force > 0.0) {
            b->touch[contacts[i].a.index][contacts[i].b.index] = b->touch[contacts[i].b.index][contacts[i].a.index] = true;
        }
    }
    for (int32_t i = 0; i < bodies; i++) {
        abut_body_info own, other;
        abut_body_state at, there;
        assert_ok(abut_world_body_info(world, ids[i], &own));
        assert_ok(abut_world_body_state(world, ids[i], &at));
        b->generation[ids[i].index] = ids[i].generation + 1;
        b->asleep[ids[i].index] = own.kind == ABUT_BODY_DYNAMIC && !at.awake;
        for (int32_t k = 0; own.sensor && k < bodies; k++) {
            assert_ok(abut_world_body_info(world, ids[k], &other));
            assert_ok(abut_world_body_state(world, ids[k], &there));
            bool overlap = false;
            assert_ok(abut_overlap(&(abut_pair){own.shape, at.pose, other.shape, there.pose}, NULL, &overlap));
            bool still = own.kind == ABUT_BODY_STATIC && other.kind == ABUT_BODY_STATIC;
            b->seen[ids[i].index][ids[k].index] =
                i != k && overlap && !other.sensor && !still && abut_filters_agree(own.filter, other.filter);
        }
    }
}

static bool renewed(const book *before, const book *now, int32_t slot) { return before->generation[slot] != now->generation[slot]; }

/* The number of events of a kind for a pair of slots. */
static int32_t told(const abut_world_event *events, int32_t count, abut_world_event_kind kind, int32_t a, int32_t b, bool ordered) {
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t p = (int32_t)events[i].a.index, q = (int32_t)events[i].b.index;
        found += events[i].kind == kind && ((p == a && q == b) || (!ordered && p == b && q == a));
    }
    return found;
}

static void compare(const abut_world *world, const book *before, const book *now) {
    const abut_world_event *events;
    int32_t count = events_of(world, &events);
    for (int32_t a = 1; a < SLOTS; a++) {
        for (int32_t b = 1; b < SLOTS; b++) {
            bool fresh = renewed(before, now, a) || renewed(before, now, b);
            bool was = before->touch[a][b], is = now->touch[a][b], saw = before->seen[a][b], sees = now->seen[a][b];
            if (a < b) {
                assert_int_equal(told(events, count, ABUT_EVENT_TOUCH_BEGIN, a, b, false), is && (!was || fresh));
                assert_int_equal(told(events, count, ABUT_EVENT_TOUCH_PERSIST, a, b, false), is && was && !fresh);
                assert_int_equal(told(events, count, ABUT_EVENT_TOUCH_END, a, b, false), was && (!is || fresh));
            }
            assert_int_equal(told(events, count, ABUT_EVENT_SENSOR_BEGIN, a, b, true), sees && (!saw || fresh));
            assert_int_equal(told(events, count, ABUT_EVENT_SENSOR_END, a, b, true), saw && (!sees || fresh));
        }
        bool same = !renewed(before, now, a), slept = before->asleep[a] && same;
        assert_int_equal(told(events, count, ABUT_EVENT_SLEEP, a, 0, true), now->asleep[a] && !slept);
        assert_int_equal(told(events, count, ABUT_EVENT_WAKE, a, 0, true), slept && !now->asleep[a] && now->generation[a] != 0);
    }
}

static abut_body_id add(abut_world *world, random_state *r, bool balls) {
    abut_body_def def = abut_body_def_default();
    def.pose.position = random_vec3(r, -1.5, 1.5);
    def.pose.position.z += 2.0;
    def.sensor = random_below(r, 6) == 0;
    def.kind = (abut_body_kind)(random_below(r, 4) == 0 ? random_below(r, 3) : 0);
    def.motion.linear = random_vec3(r, -1.0, 1.0);
    def.filter.group = random_below(r, 8) == 0 ? -1 : 0;
    return put_as(world, def, balls || random_below(r, 2) ? sphere(0.3) : box(0.3, 0.2, 0.25));
}

static void test_random_worlds(void **state) {
    (void)state;
    random_state r = random_make(random_seed("random_worlds", 41));
    int32_t runs = random_runs("random_worlds", 120);
    for (int32_t run = 0; run < runs; run++) {
        abut_stepper stepper = (abut_stepper)(run % 3);
        abut_world *world = make(stepper, ABUT_EVENT_ALL, 1, 9.81);
        abut_body_id ids[MOST];
        int32_t count = 0, most = stepper == ABUT_STEPPER_EVENT ? 8 : 24;
        (void)put(world, ABUT_BODY_STATIC, plane(abut_vec3_make(0.0, 0.0, 1.0), 0.0), at(0.0, 0.0, 0.0));
        static book before, now;
        write_down(world, &before);
        for (int32_t i = 0; i < 40; i++) {
            if (count < most && random_below(&r, 2)) {
                ids[count++] = add(world, &r, stepper == ABUT_STEPPER_DEM);
            }
            if (count > 4 && random_below(&r, 10) == 0) {
                int32_t at = random_below(&r, count);
                assert_ok(abut_world_remove_body(world, ids[at]));
                ids[at] = ids[--count];
            }
            if (abut_world_step(world, stepper == ABUT_STEPPER_DEM ? 1e-3 : 1.0 / 60.0, NULL) != ABUT_OK) {
                break; /* the event stepper refuses some jams */
            }
            write_down(world, &now);
            compare(world, &before, &now);
            before = now;
        }
        abut_world_destroy(world);
    }
}

/* A ball that falls from 1 m hits at sqrt(2 g h), up to the speed of a step. It is told once, with the impulse that stops it. */
static void test_a_hit(void **state) {
    (void)state;
    abut_world *world = make(ABUT_STEPPER_FIXED, ABUT_EVENT_HIT | ABUT_EVENT_TOUCH_BEGIN, 1, 9.81);
    (void)put(world, ABUT_BODY_STATIC, plane(abut_vec3_make(0.0, 0.0, 1.0), 0.0), at(0.0, 0.0, 0.0));
    abut_body_def def = abut_body_def_default();
    def.pose.position.z = 1.5;
    def.mass = 2.0;
    def.user = 77;
    abut_body_id ball = put_as(world, def, sphere(0.5));
    int32_t hits = 0;
    for (int i = 0; i < 120; i++) {
        const abut_world_event *events;
        assert_ok(abut_world_step(world, 1.0 / 240.0, NULL));
        int32_t count = events_of(world, &events);
        for (int32_t k = 0; k < count; k++) {
            assert_int_equal(events[k].kind, k == 0 ? ABUT_EVENT_TOUCH_BEGIN : ABUT_EVENT_HIT);
            if (events[k].kind == ABUT_EVENT_HIT) {
                hits++;
                assert_near(events[k].speed, sqrt(2.0 * 9.81), 9.81 / 240.0);
                assert_near(events[k].impulse, 2.0 * sqrt(2.0 * 9.81), 2.0 * 9.81 / 100.0);
                assert_true(events[k].user_a == 77 || events[k].user_b == 77);
            }
        }
    }
    assert_int_equal(hits, 1);
    (void)ball;
    abut_world_destroy(world);
}

/* A ball falls through a sensor as though it were not there. */
static void test_a_sensor(void **state) {
    (void)state;
    for (int stepper = 0; stepper < 3; stepper++) {
        abut_world *world = make((abut_stepper)stepper, ABUT_EVENT_ALL, 1, 10.0), *free_fall = make((abut_stepper)stepper, 0, 1, 10.0);
        abut_body_def gate = abut_body_def_default(), ball = gate;
        gate.kind = ABUT_BODY_STATIC;
        gate.sensor = true;
        abut_body_id id = put_as(world, gate, sphere(1.0));
        ball.pose.position.z = 3.0;
        abut_body_id in = put_as(world, ball, sphere(0.5)), out = put_as(free_fall, ball, sphere(0.5));
        int32_t begins = 0, ends = 0, others = 0;
        for (int i = 0; i < 120; i++) {
            const abut_world_event *events;
            assert_ok(abut_world_step(world, 0.01, NULL));
            assert_ok(abut_world_step(free_fall, 0.01, NULL));
            int32_t count = events_of(world, &events);
            for (int32_t k = 0; k < count; k++) {
                assert_true(events[k].a.index == id.index && events[k].b.index == in.index);
                abut_body_state now;
                assert_ok(abut_world_body_state(world, in, &now));
                begins += events[k].kind == ABUT_EVENT_SENSOR_BEGIN && now.pose.position.z <= 1.5 && now.pose.position.z > 1.3;
                ends += events[k].kind == ABUT_EVENT_SENSOR_END && now.pose.position.z < -1.5 && now.pose.position.z > -1.7;
                others++;
            }
        }
        assert_true(begins == 1 && ends == 1 && others == 2);
        abut_body_state a, b;
        assert_ok(abut_world_body_state(world, in, &a));
        assert_ok(abut_world_body_state(free_fall, out, &b));
        assert_memory_equal(&a.pose, &b.pose, sizeof a.pose);
        abut_world_destroy(world);
        abut_world_destroy(free_fall);
    }
}

static void test_sleep(void **state) {
    (void)state;
    abut_world *world = make(ABUT_STEPPER_FIXED, ABUT_EVENT_SLEEP | ABUT_EVENT_WAKE, 1, 9.81);
    (void)put(world, ABUT_BODY_STATIC, plane(abut_vec3_make(0.0, 0.0, 1.0), 0.0), at(0.0, 0.0, 0.0));
    abut_body_id crate = put(world, ABUT_BODY_DYNAMIC, box(0.5, 0.5, 0.5), at(0.0, 0.0, 0.5));
    int32_t slept = 0, woke = 0;
    for (int i = 0; i < 120; i++) {
        if (i == 90) {
            assert_ok(abut_world_wake_body(world, crate));
        }
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        slept += count_of(world, ABUT_EVENT_SLEEP);
        woke += count_of(world, ABUT_EVENT_WAKE);
    }
    assert_true(slept >= 1 && woke == 1);
    abut_world_destroy(world);
}

static void assert_same_events(const abut_world *p, const abut_world *q) {
    const abut_world_event *a, *b;
    int32_t count = events_of(p, &a);
    assert_int_equal(count, events_of(q, &b));
    for (int32_t i = 0; i < count; i++) {
        assert_true(a[i].kind == b[i].kind && a[i].a.index == b[i].a.index && a[i].b.index == b[i].b.index &&
                    a[i].impulse == b[i].impulse && a[i].joint.index == b[i].joint.index && a[i].joint.generation == b[i].joint.generation);
    }
}

/* ---- joints ---- */

/* Balls that hang on ropes one below the other, and break them when they have fallen their lengths: each breaks once at most, and a rope that bears any load
 * never. A second bookkeeping knows the joints that were broken after the step before. */
enum { ROPES = 24 };

static abut_joint_id rope_between(abut_world *world, random_state *r, abut_body_id a, abut_body_id b) {
    abut_joint_def def = abut_joint_def_default(ABUT_JOINT_DISTANCE);
    def.a = a;
    def.b = b;
    def.limited = true;
    def.lower = 0.0;
    def.upper = random_range(r, 0.3, 1.0);
    def.break_force = random_below(r, 4) == 0 ? INFINITY : random_range(r, 1.0, 60.0);
    abut_joint_id id;
    assert_ok(abut_world_add_joint(world, &def, &id));
    return id;
}

typedef struct ropes {
    abut_world *world;
    abut_body_id bodies[ROPES + 1];
    abut_joint_id joints[ROPES];
    bool broken[ROPES], removed[ROPES];
} ropes;

static ropes hang(uint64_t seed, int32_t threads) {
    ropes made = {.world = make(ABUT_STEPPER_FIXED, ABUT_EVENT_ALL, threads, 9.81)};
    random_state r = random_make(seed);
    made.bodies[0] = put(made.world, ABUT_BODY_STATIC, sphere(0.1), at(0.0, 0.0, 5.0));
    for (int i = 0; i < ROPES; i++) {
        abut_body_def def = abut_body_def_default();
        def.pose.position = abut_vec3_make(0.3 * i, 0.0, 4.9);
        def.mass = random_range(&r, 0.2, 2.0);
        def.user = (uint64_t)i + 1;
        made.bodies[i + 1] = put_as(made.world, def, sphere(0.1));
        made.joints[i] = rope_between(made.world, &r, made.bodies[i % 3 == 0 ? 0 : i], made.bodies[i + 1]);
    }
    return made;
}

/* Returns the number of joints that broke in the step. */
static int32_t compare_ropes(ropes *r) {
    const abut_world_event *events;
    int32_t count = events_of(r->world, &events), first = count, found = 0;
    for (int32_t k = 0; k < count; k++) {
        bool breaks = events[k].kind == ABUT_EVENT_JOINT_BROKEN;
        first = breaks && first == count ? k : first;
        assert_true(breaks == (k >= first)); /* these come last */
    }
    for (int32_t i = 0; i < ROPES; i++) {
        abut_joint_state now;
        bool there = abut_world_joint_state(r->world, r->joints[i], &now) == ABUT_OK;
        assert_true(there != r->removed[i]);
        if (there && now.broken && !r->broken[i]) {
            const abut_world_event *event = &events[first + found];
            assert_true(first + found < count && event->joint.index == r->joints[i].index && event->b.index == r->bodies[i + 1].index);
            assert_int_equal(event->a.index, r->bodies[i % 3 == 0 ? 0 : i].index);
            assert_int_equal(event->user_b, i + 1);
            assert_true(abut_length(now.force) > 0.0);
            found++;
        }
        r->broken[i] = there && now.broken;
    }
    assert_int_equal(count - first, found);
    return found;
}

static void test_joints_that_break(void **state) {
    (void)state;
    random_state r = random_make(random_seed("joints_that_break", 6));
    int32_t runs = random_runs("joints_that_break", 6), broken = 0;
    for (int32_t run = 0; run < runs; run++) {
        uint64_t seed = random_next(&r);
        static unsigned char saved[1 << 19];
        ropes one = hang(seed, 1), two = hang(seed, 2), restored = hang(seed, 1);
        for (int i = 0; i < 60; i++) {
            size_t size;
            if (i == 25 || i == 40) {
                int32_t gone = random_below(&r, ROPES - 1);
                (void)abut_world_remove_joint(one.world, one.joints[gone]);
                (void)abut_world_remove_joint(two.world, two.joints[gone]);
                one.removed[gone] = two.removed[gone] = true;
            }
            assert_ok(abut_world_step(one.world, 1.0 / 60.0, NULL));
            assert_ok(abut_world_step(two.world, 1.0 / 60.0, NULL));
            broken += compare_ropes(&one);
            (void)compare_ropes(&two);
            assert_same_events(one.world, two.world);
            if (i == 41) {
                assert_ok(abut_world_save(one.world, saved, sizeof saved, &size));
                assert_ok(abut_world_restore(restored.world, saved, size));
            } else if (i > 41) {
                assert_ok(abut_world_step(restored.world, 1.0 / 60.0, NULL));
                assert_same_events(one.world, restored.world);
            }
        }
        abut_world_destroy(one.world);
        abut_world_destroy(two.world);
        abut_world_destroy(restored.world);
    }
    assert_true(broken > 2 * runs);
}

/* A slot that was broken and is used again tells of its next joint, also where a restored world has fewer slots. */
static void test_slots_used_again(void **state) {
    (void)state;
    abut_world *world = make(ABUT_STEPPER_FIXED, ABUT_EVENT_ALL, 1, 9.81);
    abut_body_id hook = put(world, ABUT_BODY_STATIC, sphere(0.1), at(0.0, 0.0, 5.0));
    abut_body_id ball = put(world, ABUT_BODY_DYNAMIC, sphere(0.1), at(0.0, 0.0, 4.0));
    abut_joint_def def = abut_joint_def_default(ABUT_JOINT_DISTANCE);
    static unsigned char saved[1 << 12];
    size_t size;
    def.a = hook;
    def.b = ball;
    def.rest = 1.0;
    def.break_force = 1e-3;
    assert_ok(abut_world_save(world, saved, sizeof saved, &size));
    for (int i = 0; i < 6; i++) {
        abut_joint_id id;
        assert_ok(abut_world_add_joint(world, &def, &id));
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        assert_int_equal(count_of(world, ABUT_EVENT_JOINT_BROKEN), 1);
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        assert_int_equal(count_of(world, ABUT_EVENT_JOINT_BROKEN), 0);
        if (i % 2 == 0) {
            assert_ok(abut_world_remove_joint(world, id));
        } else {
            assert_ok(abut_world_restore(world, saved, size));
        }
    }
    abut_world_destroy(world);
}

static abut_world *heap(int32_t threads) {
    random_state r = random_make(9);
    abut_world *world = make(ABUT_STEPPER_FIXED, ABUT_EVENT_ALL, threads, 9.81);
    (void)put(world, ABUT_BODY_STATIC, plane(abut_vec3_make(0.0, 0.0, 1.0), 0.0), at(0.0, 0.0, 0.0));
    for (int i = 0; i < MOST; i++) {
        (void)add(world, &r, false);
    }
    return world;
}

/* The same on two threads, and in a world that was restored. */
static void test_threads_and_saved_worlds(void **state) {
    (void)state;
    abut_world *one = heap(1), *two = heap(2), *restored = heap(1);
    static unsigned char saved[1 << 20];
    for (int i = 0; i < 120; i++) {
        assert_ok(abut_world_step(one, 1.0 / 60.0, NULL));
        assert_ok(abut_world_step(two, 1.0 / 60.0, NULL));
        assert_same_events(one, two);
        if (i == 50) {
            size_t size;
            const abut_world_event *events;
            assert_ok(abut_world_save(one, saved, sizeof saved, &size));
            assert_ok(abut_world_restore(restored, saved, size));
            assert_int_equal(events_of(restored, &events), 0);
        }
        if (i > 50) {
            assert_ok(abut_world_step(restored, 1.0 / 60.0, NULL));
            assert_same_events(one, restored);
        }
    }
    abut_world_destroy(one);
    abut_world_destroy(two);
    abut_world_destroy(restored);
}

/* ---- saved between changes ---- */

enum { CROWD = 16 };

static abut_world *crowd(uint64_t seed, abut_stepper stepper, uint32_t events, abut_body_id *ids) {
    random_state r = random_make(seed);
    abut_world *world = make(stepper, events, 1, 9.81);
    (void)put(world, ABUT_BODY_STATIC, plane(abut_vec3_make(0.0, 0.0, 1.0), 0.0), at(0.0, 0.0, 0.0));
    for (int32_t i = 0; i < CROWD; i++) {
        ids[i] = add(world, &r, stepper == ABUT_STEPPER_DEM);
    }
    return world;
}

/* Removes, moves, filters and puts to sleep what touched, was seen or was awake after the last step. */
static void change(abut_world *world, random_state *r, const abut_body_id *ids) {
    for (int32_t i = 0; i < 4; i++) {
        abut_body_id id = ids[random_below(r, CROWD)];
        abut_pose pose = {random_vec3(r, -1.5, 1.5), random_rotation(r)};
        switch (random_below(r, 4)) {
        case 0:
            (void)abut_world_remove_body(world, id);
            break;
        case 1:
            (void)abut_world_set_body_pose(world, id, pose);
            break;
        case 2:
            (void)abut_world_sleep_body(world, id);
            break;
        default:
            (void)abut_world_set_body_filter(world, id, (abut_filter){1, random_below(r, 2) ? 2 : 1, 0});
        }
    }
}

/* A world that was changed after its last step, saved and restored tells what it would have told without that. */
static void test_lists_are_saved(void **state) {
    (void)state;
    static const uint32_t kinds[] = {ABUT_EVENT_ALL, ABUT_EVENT_TOUCH_END, ABUT_EVENT_SENSOR_BEGIN | ABUT_EVENT_SENSOR_END,
                                     ABUT_EVENT_SLEEP};
    static unsigned char saved[1 << 20], again[1 << 20];
    uint64_t seed = random_seed("lists_are_saved", 43);
    int32_t runs = random_runs("lists_are_saved", 48);
    for (int32_t run = 0; run < runs; run++) {
        random_state r = random_make(seed + (uint64_t)run);
        abut_body_id ids[CROWD];
        abut_stepper stepper = run % 3 == 0 ? ABUT_STEPPER_DEM : ABUT_STEPPER_FIXED;
        abut_world *one = crowd(seed + (uint64_t)run, stepper, kinds[run % 4], ids),
                   *two = crowd(seed + (uint64_t)run, stepper, kinds[run % 4], ids);
        double dt = stepper == ABUT_STEPPER_DEM ? 1e-3 : 1.0 / 60.0;
        size_t size, same;
        for (int32_t i = 0; i < 20; i++) {
            assert_ok(abut_world_step(one, dt, NULL));
        }
        change(one, &r, ids);
        assert_ok(abut_world_save(one, saved, sizeof saved, &size));
        assert_int_equal(saved[8], 5);
        assert_ok(abut_world_restore(two, saved, size));
        assert_ok(abut_world_save(two, again, sizeof again, &same));
        assert_true(same == size && memcmp(saved, again, size) == 0);
        for (int32_t i = 0; i < 3; i++) {
            assert_ok(abut_world_step(one, dt, NULL));
            assert_ok(abut_world_step(two, dt, NULL));
            assert_same_events(one, two);
        }
        abut_world_destroy(one);
        abut_world_destroy(two);
    }
}

/* A world that lists events, restored from one that lists none, begins with what is there. */
static void test_lists_that_were_not_saved(void **state) {
    (void)state;
    static unsigned char saved[1 << 20];
    abut_body_id ids[CROWD];
    abut_world *one = crowd(3, ABUT_STEPPER_FIXED, 0, ids), *two = crowd(3, ABUT_STEPPER_FIXED, ABUT_EVENT_ALL, ids);
    abut_world *all = crowd(3, ABUT_STEPPER_FIXED, ABUT_EVENT_ALL, ids);
    size_t size;
    for (int32_t i = 0; i < 40; i++) {
        assert_ok(abut_world_step(one, 1.0 / 60.0, NULL));
        assert_ok(abut_world_step(all, 1.0 / 60.0, NULL));
    }
    assert_ok(abut_world_save(one, saved, sizeof saved, &size));
    assert_ok(abut_world_restore(two, saved, size));
    for (int32_t i = 0; i < 3; i++) {
        assert_ok(abut_world_step(two, 1.0 / 60.0, NULL));
        assert_ok(abut_world_step(all, 1.0 / 60.0, NULL));
        assert_same_events(two, all);
    }
    abut_world_destroy(one);
    abut_world_destroy(two);
    abut_world_destroy(all);
}

/* Damaged lists are refused whole: every byte of them is changed. */
static void test_damaged_lists(void **state) {
    (void)state;
    static unsigned char saved[1 << 20], damaged[1 << 20];
    abut_body_id ids[CROWD];
    abut_world *one = crowd(5, ABUT_STEPPER_FIXED, ABUT_EVENT_ALL, ids), *two = crowd(5, ABUT_STEPPER_FIXED, ABUT_EVENT_ALL, ids);
    size_t size;
    int32_t refused = 0;
    for (int32_t i = 0; i < 40; i++) {
        assert_ok(abut_world_step(one, 1.0 / 60.0, NULL));
    }
    assert_ok(abut_world_save(one, saved, sizeof saved, &size));
    for (size_t at = size - 8 - 150; at < size - 8; at++) {
        memcpy(damaged, saved, size);
        damaged[at] ^= 0x80;
        uint64_t sum = digest_bytes(digest_begin(), damaged, size - 8);
        for (int i = 0; i < 8; i++) {
            damaged[size - 8 + (size_t)i] = (unsigned char)(sum >> 8 * i);
        }
        abut_status status = abut_world_restore(two, damaged, size);
        assert_true(status == ABUT_OK || status == ABUT_ERROR_FORMAT);
        refused += status != ABUT_OK;
        assert_ok(abut_world_step(two, 1.0 / 60.0, NULL));
    }
    assert_true(refused >= 75);
    abut_world_destroy(one);
    abut_world_destroy(two);
}

static void test_refused(void **state) {
    (void)state;
    abut_world_def def = abut_world_def_default();
    abut_world *world;
    const abut_world_event *events;
    int32_t count;
    def.events = ABUT_EVENT_ALL + 1;
    assert_status(abut_world_create(&def, &world), ABUT_ERROR_INVALID_ARGUMENT);
    def.events = ABUT_EVENT_ALL;
    def.hit_speed = -1.0;
    assert_status(abut_world_create(&def, &world), ABUT_ERROR_INVALID_ARGUMENT);
    def.hit_speed = NAN;
    assert_status(abut_world_create(&def, &world), ABUT_ERROR_NOT_FINITE);
    def.hit_speed = 0.0;
    assert_ok(abut_world_create(&def, &world));
    assert_int_equal(events_of(world, &events), 0);
    assert_status(abut_world_events(NULL, &events, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_events(world, NULL, &count), ABUT_ERROR_INVALID_ARGUMENT);
    abut_world_destroy(world);
}

/* Without memory for events the step is made, and the call says so; the next list tells what was missed. */
static void test_no_memory(void **state) {
    (void)state;
    int64_t refused = 0;
    int32_t lost = 0;
    counting_allocator memory;
    do {
        abut_world *world = heap(1);
        for (int i = 0; i < 30; i++) {
            assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        }
        const abut_world_event *events;
        int32_t count;
        static book before, now;
        write_down(world, &before);
        random_state r = random_make(4);
        for (int i = 0; i < 12; i++) {
            (void)add(world, &r, false);
        }
        abut_joint_def thread = abut_joint_def_default(ABUT_JOINT_WELD);
        thread.a = put(world, ABUT_BODY_STATIC, sphere(0.1), at(0.0, 0.0, 9.0));
        thread.b = put(world, ABUT_BODY_DYNAMIC, sphere(0.1), at(0.0, 0.0, 9.0));
        thread.break_force = 1e-3;
        assert_ok(abut_world_add_joint(world, &thread, NULL));
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_status status = abut_world_step(world, 1.0 / 60.0, NULL);
        counting_allocator_remove();
        assert_true(status == ABUT_OK || status == ABUT_ERROR_OUT_OF_MEMORY);
        if (status == ABUT_OK && memory.refused) {
            lost++;
            assert_status(abut_world_events(world, &events, &count), ABUT_ERROR_OUT_OF_MEMORY);
            assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
            write_down(world, &now);
            compare(world, &before, &now);
            assert_int_equal(count_of(world, ABUT_EVENT_JOINT_BROKEN), 1);
        }
        abut_world_destroy(world);
    } while (memory.refused);
    assert_true(lost > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_worlds),
        cmocka_unit_test(test_a_hit),
        cmocka_unit_test(test_a_sensor),
        cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_joints_that_break),
        cmocka_unit_test(test_slots_used_again),
        cmocka_unit_test(test_threads_and_saved_worlds),
        cmocka_unit_test(test_lists_are_saved),
        cmocka_unit_test(test_lists_that_were_not_saved),
        cmocka_unit_test(test_damaged_lists),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
