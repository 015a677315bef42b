/* Pairs of bodies that never touch, and a caller's own filter: in every stepper, while a world runs, for fast bodies, and through save and restore. */
#include <stdlib.h>

#include <abut/abut.h>

#include "support/allocator.h"
#include "support/bodies.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

enum { BALLS = 24 };

static bool has_contact(const abut_world *world, uint32_t a, uint32_t b) {
    const abut_world_contact *contacts;
    int32_t count;
    assert_ok(abut_world_contacts(world, &contacts, &count));
    for (int32_t i = 0; i < count; i++) {
        if ((contacts[i].a.index == a && contacts[i].b.index == b) || (contacts[i].a.index == b && contacts[i].b.index == a)) {
            return true;
        }
    }
    return false;
}

/* Bodies whose sum of user values is divisible by 3 do not touch. The bodies of a pair come in the order of their slots. */
static bool no_threes(void *context, const abut_body_pair *pair) {
    (void)context;
    return pair->a.index < pair->b.index && (pair->user_a + pair->user_b) % 3 != 0;
}

static abut_world *new_world(abut_stepper stepper, bool own) {
    abut_world_def def = abut_world_def_default();
    def.stepper = stepper;
    def.gravity = abut_vec3_make(0.0, 0.0, 0.0);
    def.filter.lets_touch = own ? no_threes : NULL;
    abut_world *world;
    assert_ok(abut_world_create(&def, &world));
    return world;
}

/* Balls in each other, at rest. Exactly those pairs have contacts that overlap and can touch; the oracle is a matrix. */
static void test_random_pairs(void **state) {
    (void)state;
    int32_t left_out = 0, made = 0;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        random_state r = random_make(seed);
        bool own = seed % 4 >= 2, apart[BALLS][BALLS] = {{false}};
        abut_world *world = new_world(seed % 2 == 0 ? ABUT_STEPPER_FIXED : ABUT_STEPPER_DEM, own);
        abut_vec3 places[BALLS];
        abut_body_id ids[BALLS];
        for (int i = 0; i < BALLS; i++) {
            abut_body_def ball = abut_body_def_default();
            ball.pose.position = places[i] = random_vec3(&r, -1.2, 1.2);
            ball.user = (uint64_t)i;
            ids[i] = put_as(world, ball, sphere(0.5));
        }
        for (int change = 0; change < 120; change++) {
            int a = random_below(&r, BALLS), b = random_below(&r, BALLS);
            bool exclude = random_below(&r, 3) > 0, told = !exclude;
            if (a != b) {
                assert_ok(exclude ? abut_world_exclude_pair(world, ids[a], ids[b]) : abut_world_include_pair(world, ids[a], ids[b]));
                apart[a][b] = apart[b][a] = exclude;
                assert_ok(abut_world_is_pair_excluded(world, ids[b], ids[a], &told));
                assert_true(told == exclude);
            }
        }
        abut_world_overlap overlaps[BALLS * BALLS];
        int32_t overlap_count = 0, expected = 0;
        assert_ok(abut_world_overlaps(world, overlaps, BALLS * BALLS, &overlap_count));
        assert_ok(abut_world_step(world, 1e-9, NULL));
        for (int i = 0; i < BALLS; i++) {
            for (int k = 0; k < i; k++) {
                double depth = 1.0 - abut_distance_between(places[i], places[k]);
                bool touch = !apart[i][k] && !(own && (i + k) % 3 == 0);
                if (depth > 1e-3) {
                    assert_int_equal(has_contact(world, ids[i].index, ids[k].index), touch);
                    left_out += !touch;
                    made += touch;
                }
                expected += depth > 0.005 && touch;
            }
        }
        assert_int_equal(overlap_count, expected);
        abut_world_destroy(world);
    }
    assert_true(left_out > 500 && made > 500);
}

/* Two balls of the event stepper meet, or go through each other. */
static void test_event_stepper(void **state) {
    (void)state;
    for (int excluded = 0; excluded < 2; excluded++) {
        abut_world *world = new_world(ABUT_STEPPER_EVENT, false);
        abut_body_def ball = abut_body_def_default();
        ball.restitution = 1.0;
        ball.motion.linear = abut_vec3_make(1, 0, 0);
        abut_body_id a = put_as(world, ball, sphere(0.5));
        ball.motion.linear = abut_vec3_make(0, 0, 0);
        ball.pose.position.x = 1.5;
        abut_body_id b = put_as(world, ball, sphere(0.5));
        if (excluded) {
            assert_ok(abut_world_exclude_pair(world, b, a));
        }
        for (int i = 0; i < 60; i++) {
            assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        }
        abut_body_state moved;
        assert_ok(abut_world_body_state(world, b, &moved));
        assert_near(moved.motion.linear.x, excluded ? 0.0 : 1.0, 1e-9);
        abut_world_destroy(world);
    }
}

static double fall_through(bool excluded, double speed) {
    abut_world *world = new_world(ABUT_STEPPER_FIXED, false);
    abut_body_def def = abut_body_def_default();
    def.kind = ABUT_BODY_STATIC;
    abut_body_id floor = put_as(world, def, box(5, 5, 0.05));
    def = abut_body_def_default();
    def.pose.position.z = 3.0;
    def.motion.linear.z = -speed;
    abut_body_id ball = put_as(world, def, sphere(0.2));
    if (excluded) {
        assert_ok(abut_world_exclude_pair(world, floor, ball));
    }
    for (int i = 0; i < 60; i++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
    }
    abut_body_state moved;
    assert_ok(abut_world_body_state(world, ball, &moved));
    abut_world_destroy(world);
    return moved.pose.position.z;
}

/* The guard of fast bodies does not stop them, either. */
static void test_fast_bodies(void **state) {
    (void)state;
    assert_near(fall_through(true, 300.0), -297.0, 1e-9);
    assert_true(fall_through(false, 300.0) > 0.2);
    assert_near(fall_through(true, 5.0), -2.0, 1e-9);
}

static bool awake(const abut_world *world, abut_body_id id) {
    abut_body_state state;
    assert_ok(abut_world_body_state(world, id, &state));
    return state.awake;
}

/* A change wakes both bodies, the contacts go in the next step, and a removed body takes its pairs along. */
static void test_changes(void **state) {
    (void)state;
    abut_world *world;
    assert_ok(abut_world_create(NULL, &world));
    abut_body_def def = abut_body_def_default();
    def.kind = ABUT_BODY_STATIC;
    abut_body_id floor = put_as(world, def, box(5, 5, 0.5));
    def = abut_body_def_default();
    def.pose.position.z = 1.0;
    abut_body_id cube = put_as(world, def, box(0.5, 0.5, 0.5));
    for (int i = 0; i < 90; i++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
    }
    assert_false(awake(world, cube));
    assert_ok(abut_world_include_pair(world, floor, cube)); /* nothing changes */
    assert_false(awake(world, cube));
    assert_ok(abut_world_exclude_pair(world, floor, cube));
    assert_true(awake(world, cube) && has_contact(world, floor.index, cube.index));
    for (int i = 0; i < 6; i++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        assert_false(has_contact(world, floor.index, cube.index));
    }
    assert_ok(abut_world_remove_body(world, floor));
    bool excluded;
    assert_status(abut_world_is_pair_excluded(world, floor, cube, &excluded), ABUT_ERROR_STALE_ID);
    def.kind = ABUT_BODY_STATIC;
    def.pose.position.z = 0.0;
    abut_body_id other = put_as(world, def, box(5, 5, 0.5));
    assert_int_equal(other.index, floor.index);
    assert_ok(abut_world_is_pair_excluded(world, other, cube, &excluded));
    assert_false(excluded);
    abut_world_destroy(world);
}

static abut_world *row(abut_body_id *ids) {
    abut_world *world = new_world(ABUT_STEPPER_FIXED, false);
    for (int i = 0; i < 6; i++) {
        abut_body_def ball = abut_body_def_default();
        ball.pose.position.x = 0.9 * i;
        ids[i] = put_as(world, ball, sphere(0.5));
    }
    return world;
}

/* Saved states have the pairs, and damaged ones change nothing. */
static void test_saved_states(void **state) {
    (void)state;
    abut_body_id ids[6];
    abut_world *world = row(ids), *other = row(ids);
    assert_ok(abut_world_exclude_pair(world, ids[2], ids[1]));
    assert_ok(abut_world_exclude_pair(world, ids[4], ids[5]));
    assert_ok(abut_world_exclude_pair(other, ids[0], ids[1]));
    assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
    unsigned char saved[1 << 16];
    size_t size = 0;
    assert_ok(abut_world_save(world, saved, sizeof saved, &size));
    for (size_t cut = 0; cut < size; cut += 61) {
        assert_true(abut_world_restore(other, saved, cut) != ABUT_OK);
    }
    assert_ok(abut_world_restore(other, saved, size));
    for (int a = 0; a < 6; a++) {
        for (int b = 0; b < a; b++) {
            bool excluded;
            assert_ok(abut_world_is_pair_excluded(other, ids[a], ids[b], &excluded));
            assert_true(excluded == ((a == 2 && b == 1) || (a == 5 && b == 4)));
        }
    }
    for (int i = 0; i < 30; i++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
        assert_ok(abut_world_step(other, 1.0 / 60.0, NULL));
    }
    assert_true(abut_world_hash(world) == abut_world_hash(other));
    abut_world_destroy(world);
    abut_world_destroy(other);
}

/* A pair for whose key there is no memory is not excluded. */
static void test_no_memory(void **state) {
    (void)state;
    abut_body_id ids[6];
    abut_world *world = row(ids);
    counting_allocator memory = {.refuse_at = 0};
    counting_allocator_install(&memory);
    abut_status status = abut_world_exclude_pair(world, ids[0], ids[1]);
    counting_allocator_remove();
    bool excluded = true;
    assert_status(status, ABUT_ERROR_OUT_OF_MEMORY);
    assert_ok(abut_world_is_pair_excluded(world, ids[0], ids[1], &excluded));
    assert_false(excluded);
    assert_ok(abut_world_exclude_pair(world, ids[0], ids[1]));
    abut_world_destroy(world);
}

/* A sensor sees a body whose pair with it is excluded. */
static void test_sensors_see_excluded_bodies(void **state) {
    (void)state;
    abut_world_def def = abut_world_def_default();
    def.events = ABUT_EVENT_ALL;
    def.filter.lets_touch = no_threes;
    abut_world *world;
    assert_ok(abut_world_create(&def, &world));
    abut_body_def gate = abut_body_def_default();
    gate.kind = ABUT_BODY_STATIC;
    gate.sensor = true;
    abut_body_id sensor = put_as(world, gate, box(1, 1, 1)), ball = put_as(world, abut_body_def_default(), sphere(0.5));
    assert_ok(abut_world_exclude_pair(world, sensor, ball));
    assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
    const abut_world_event *events;
    int32_t count;
    assert_ok(abut_world_events(world, &events, &count));
    assert_int_equal(count, 1);
    assert_int_equal(events[0].kind, ABUT_EVENT_SENSOR_BEGIN);
    abut_world_destroy(world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_pairs),
        cmocka_unit_test(test_event_stepper),
        cmocka_unit_test(test_fast_bodies),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_saved_states),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_sensors_see_excluded_bodies),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
