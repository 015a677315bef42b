/* Which bodies can touch each other: in every stepper, for changes while a world runs, for fast bodies, and through save and restore. */
#include <abut/abut.h>

#include "support/bodies.h"
#include "support/check.h"
#include "support/random.h"
#include "support/shapes.h"

enum { BALLS = 40 };

static abut_filter random_filter(random_state *r) {
    return (abut_filter){UINT64_C(1) << random_below(r, 3), (uint64_t)random_below(r, 8), random_below(r, 5) - 2};
}

/* The rule, written down a second time. */
static bool can_touch(abut_filter a, abut_filter b) {
    bool together = a.group == b.group && a.group > 0, never = a.group == b.group && a.group < 0;
    return together || (!never && (a.category & b.mask) > 0 && (b.category & a.mask) > 0);
}

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

/* Balls in each other, at rest without gravity: exactly those pairs have contacts that overlap and can touch. */
static void test_random_filters(void **state) {
    (void)state;
    int32_t left_out = 0, made = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        random_state r = random_make(seed);
        abut_world_def def = abut_world_def_default();
        def.stepper = seed % 2 == 0 ? ABUT_STEPPER_FIXED : ABUT_STEPPER_DEM;
        def.gravity = abut_vec3_make(0.0, 0.0, 0.0);
        abut_world *world;
        assert_ok(abut_world_create(&def, &world));
        abut_vec3 places[BALLS];
        abut_filter filters[BALLS];
        abut_body_kind kinds[BALLS];
        for (int i = 0; i < BALLS; i++) {
            abut_body_def ball = abut_body_def_default();
            places[i] = random_vec3(&r, -1.5, 1.5);
            filters[i] = random_filter(&r);
            /* the fixed stepper drops contacts with a still body that lie inside another still body */
            kinds[i] = def.stepper == ABUT_STEPPER_DEM ? (abut_body_kind)random_below(&r, 2) : ABUT_BODY_DYNAMIC;
            ball.kind = kinds[i];
            ball.pose.position = places[i];
            ball.filter = filters[i];
            (void)put_as(world, ball, sphere(0.5));
        }
        abut_world_overlap overlaps[BALLS * BALLS];
        int32_t overlap_count = 0, expected = 0;
        assert_ok(abut_world_overlaps(world, overlaps, BALLS * BALLS, &overlap_count));
        abut_step_report report;
        assert_ok(abut_world_step(world, 1e-9, &report));
        for (uint32_t i = 0; i < BALLS; i++) {
            for (uint32_t k = 0; k < i; k++) {
                double depth = 1.0 - abut_distance_between(places[i], places[k]);
                bool moves = kinds[i] == ABUT_BODY_DYNAMIC || kinds[k] == ABUT_BODY_DYNAMIC, agree = can_touch(filters[i], filters[k]);
                if (depth > 1e-3 && moves) {
                    assert_int_equal(has_contact(world, i + 1, k + 1), agree);
                    left_out += !agree;
                    made += agree;
                }
                expected += depth > 0.005 && moves && agree;
            }
        }
        assert_int_equal(overlap_count, expected);
        abut_world_destroy(world);
    }
    assert_true(left_out > 1000 && made > 1000);
}

static double height_of(const abut_world *world, abut_body_id id) {
    abut_body_state at;
    assert_ok(abut_world_body_state(world, id, &at));
    return at.pose.position.z;
}

static void steps(abut_world *world, int count) {
    for (int i = 0; i < count; i++) {
        assert_ok(abut_world_step(world, 1.0 / 60.0, NULL));
    }
}

/* A box that sleeps on a floor falls when the floor is no more for it, and lands on the next one; the plane below has another category. */
static void test_changes(void **state) {
    (void)state;
    abut_world *world;
    assert_ok(abut_world_create(NULL, &world));
    abut_body_def floor = abut_body_def_default();
    floor.kind = ABUT_BODY_STATIC;
    floor.filter.category = 2;
    (void)put_as(world, floor, box(2.0, 2.0, 0.5));
    floor.filter.category = 4;
    floor.pose.position.z = -4.0;
    (void)put_as(world, floor, plane(abut_vec3_make(0.0, 0.0, 1.0), 0.0));
    abut_body_id crate = put(world, ABUT_BODY_DYNAMIC, box(0.5, 0.5, 0.5), at(0.0, 0.0, 1.01));
    steps(world, 120);
    assert_near(height_of(world, crate), 1.0, 1e-3);
    abut_body_state now;
    assert_ok(abut_world_body_state(world, crate, &now));
    assert_false(now.awake);
    assert_ok(abut_world_set_body_filter(world, crate, (abut_filter){1, ~UINT64_C(2), 0}));
    steps(world, 120);
    assert_near(height_of(world, crate), -3.5, 1e-3);
    assert_ok(abut_world_set_body_filter(world, crate, (abut_filter){1, 0, 0}));
    steps(world, 60);
    assert_true(height_of(world, crate) < -6.0);
    assert_status(abut_world_set_body_filter(world, (abut_body_id){99, 0}, floor.filter), ABUT_ERROR_STALE_ID);
    abut_world_destroy(world);
}

/* A fast ball goes through a wall that it cannot touch, and is stopped by the one behind. */
static void test_fast_bodies(void **state) {
    (void)state;
    abut_world *world = floating_world();
    abut_body_def wall = abut_body_def_default(), ball = wall;
    wall.kind = ABUT_BODY_STATIC;
    wall.filter.category = 2;
    wall.pose.position.x = 5.0;
    (void)put_as(world, wall, box(0.01, 2.0, 2.0));
    wall.filter.category = 1;
    wall.pose.position.x = 10.0;
    (void)put_as(world, wall, box(0.01, 2.0, 2.0));
    ball.motion.linear.x = 300.0;
    ball.filter.mask = 1;
    abut_body_id id = put_as(world, ball, sphere(0.05));
    steps(world, 30);
    abut_body_state at;
    assert_ok(abut_world_body_state(world, id, &at));
    assert_true(at.pose.position.x > 5.0 && at.pose.position.x < 10.0);
    abut_world_destroy(world);
}

static abut_world *pile(random_state *r, abut_body_id *ids) {
    abut_world *world = world_of(ABUT_STEPPER_FIXED);
    (void)put(world, ABUT_BODY_STATIC, plane(abut_vec3_make(0.0, 0.0, 1.0), 0.0), at(0.0, 0.0, 0.0));
    for (int i = 0; i < BALLS; i++) {
        abut_body_def body = abut_body_def_default();
        body.pose.position = abut_add(random_vec3(r, -1.0, 1.0), abut_vec3_make(0.0, 0.0, 2.0));
        body.filter = (abut_filter){1, UINT64_MAX, random_below(r, 3) - 1};
        ids[i] = put_as(world, body, box(0.2, 0.2, 0.2));
    }
    return world;
}

/* A restored world goes on as the saved one, also with filters that were changed; a world with other filters is foreign. */
static void test_saved_worlds(void **state) {
    (void)state;
    random_state r = random_make(5), again = r, other = random_make(6);
    abut_body_id ids[BALLS], unused[BALLS];
    abut_world *world = pile(&r, ids), *twin = pile(&again, unused), *foreign = pile(&other, unused);
    steps(world, 40);
    for (int i = 0; i < BALLS; i += 3) {
        assert_ok(abut_world_set_body_filter(world, ids[i], (abut_filter){2, 3, -7}));
    }
    steps(world, 3);
    assert_ok(abut_world_set_body_filter(world, ids[1], (abut_filter){0, 0, 0}));
    static unsigned char saved[1 << 20];
    size_t size;
    assert_ok(abut_world_save(world, saved, sizeof saved, &size));
    assert_int_equal(saved[8], 3);
    assert_ok(abut_world_restore(twin, saved, size));
    assert_status(abut_world_restore(foreign, saved, size), ABUT_ERROR_FOREIGN);
    abut_body_info info;
    assert_ok(abut_world_body_info(twin, ids[3], &info));
    assert_int_equal(info.filter.group, -7);
    for (int i = 0; i < 60; i++) {
        steps(world, 1);
        steps(twin, 1);
        assert_true(abut_world_hash(world) == abut_world_hash(twin));
    }
    abut_world_destroy(world);
    abut_world_destroy(twin);
    abut_world_destroy(foreign);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_filters),
        cmocka_unit_test(test_changes),
        cmocka_unit_test(test_fast_bodies),
        cmocka_unit_test(test_saved_worlds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
