/* Bulk reads: the same as the calls for one body, in the order of the ids, whatever the capacity. */
#include <string.h>

#include "support/random.h"
#include "support/staging.h"

enum { BODIES = 12 };

/* Bodies of all kinds, with gaps between their slots. Returns how many there are. */
static int32_t fill(staging *s) {
    random_state random = random_make(3);
    abut_body_id ids[BODIES];
    for (int32_t i = 0; i < BODIES; i++) {
        abut_body_def def = staging_body((abut_body_kind)(i % 3), i % 2 == 0 ? s->box : s->sphere, random_vec3(&random, -20, 20));
        def.pose.rotation = random_rotation(&random);
        def.motion.linear = random_vec3(&random, -1, 1);
        def.motion.angular = random_vec3(&random, -1, 1);
        ids[i] = staging_put(s, &def);
    }
    const int32_t gone[] = {0, 4, 5, BODIES - 1};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++) {
        assert_ok(abut_world_remove_body(s->world, ids[gone[i]]));
    }
    return BODIES - 4;
}

static void test_same_as_single_reads(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    int32_t there = fill(&s), count = -1;
    for (int32_t step = 0; step < 3; step++) {
        abut_body_id ids[BODIES];
        abut_body_state states[BODIES];
        abut_pose poses[BODIES];
        assert_ok(abut_world_body_ids(s.world, ids, BODIES, &count));
        assert_int_equal(count, there);
        assert_ok(abut_world_body_states(s.world, states, BODIES, &count));
        assert_int_equal(count, there);
        assert_ok(abut_world_body_poses(s.world, poses, BODIES, &count));
        assert_int_equal(count, there);
        for (int32_t i = 0; i < there; i++) {
            const abut_body_state one = staging_state(&s, ids[i]);
            assert_memory_equal(&one.pose, &states[i].pose, sizeof one.pose);
            assert_memory_equal(&one.pose, &poses[i], sizeof one.pose);
            assert_memory_equal(&one.centre, &states[i].centre, sizeof one.centre);
            assert_memory_equal(&one.motion, &states[i].motion, sizeof one.motion);
            assert_true(one.awake == states[i].awake);
        }
        staging_run(&s, STAGING_STEP, 1);
    }
    staging_close(&s);
}

static void test_capacities(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    int32_t there = fill(&s), count = -1;
    abut_body_state states[BODIES], all[BODIES];
    abut_pose poses[BODIES];
    assert_ok(abut_world_body_states(s.world, all, there, &count));
    for (int32_t capacity = 0; capacity < there; capacity++) {
        memset(states, 7, sizeof states);
        memset(poses, 7, sizeof poses);
        const abut_pose untouched = poses[0];
        count = -1;
        assert_status(abut_world_body_states(s.world, states, capacity, &count), ABUT_ERROR_CAPACITY);
        assert_int_equal(count, there);
        count = -1;
        assert_status(abut_world_body_poses(s.world, poses, capacity, &count), ABUT_ERROR_CAPACITY);
        assert_int_equal(count, there);
        for (int32_t i = 0; i < capacity; i++) {
            assert_memory_equal(&states[i].pose, &all[i].pose, sizeof all[i].pose);
            assert_memory_equal(&poses[i], &all[i].pose, sizeof poses[i]);
        }
        assert_memory_equal(&states[capacity].pose, &untouched, sizeof untouched);
        assert_memory_equal(&poses[capacity], &untouched, sizeof untouched);
    }
    assert_status(abut_world_body_states(s.world, NULL, 0, &count), ABUT_ERROR_CAPACITY);
    assert_status(abut_world_body_poses(s.world, NULL, 0, &count), ABUT_ERROR_CAPACITY);
    staging empty = staging_open(NULL);
    assert_ok(abut_world_body_states(empty.world, NULL, 0, &count));
    assert_int_equal(count, 0);
    assert_ok(abut_world_body_poses(empty.world, NULL, 0, &count));
    assert_int_equal(count, 0);
    staging_close(&empty);
    staging_close(&s);
}

static void test_arguments(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    fill(&s);
    abut_body_state states[BODIES];
    abut_pose poses[BODIES];
    int32_t count = 5;
    assert_status(abut_world_body_states(NULL, states, BODIES, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_body_states(s.world, NULL, BODIES, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_body_states(s.world, states, -1, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_body_states(s.world, states, BODIES, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_body_poses(NULL, poses, BODIES, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_body_poses(s.world, NULL, BODIES, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_body_poses(s.world, poses, -1, &count), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_body_poses(s.world, poses, BODIES, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_int_equal(count, 5);
    staging_close(&s);
}

static void test_info_has_the_definition(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 0));
    def.friction = 0.3;
    def.restitution = 0.4;
    def.material = (abut_material){.young = 2e6, .poisson = 0.25};
    def.adhesion_work = 0.01;
    def.rolling_resistance = 0.02;
    def.adhesion_strength = 1e5;
    def.liquid_volume = 1e-9;
    def.surface_tension = 0.07;
    def.contact_angle = 0.4;
    def.twisting_resistance = 0.03;
    def.linear_damping = 0.5;
    def.angular_damping = 0.6;
    def.gravity_scale = -0.7;
    abut_body_info info;
    assert_ok(abut_world_body_info(s.world, staging_put(&s, &def), &info));
    assert_near(info.friction, 0.3, 0.0);
    assert_near(info.restitution, 0.4, 0.0);
    assert_near(info.material.young, 2e6, 0.0);
    assert_near(info.material.poisson, 0.25, 0.0);
    assert_near(info.adhesion_work, 0.01, 0.0);
    assert_near(info.rolling_resistance, 0.02, 0.0);
    assert_near(info.adhesion_strength, 1e5, 0.0);
    assert_near(info.liquid_volume, 1e-9, 0.0);
    assert_near(info.surface_tension, 0.07, 0.0);
    assert_near(info.contact_angle, 0.4, 0.0);
    assert_near(info.twisting_resistance, 0.03, 0.0);
    assert_near(info.linear_damping, 0.5, 0.0);
    assert_near(info.angular_damping, 0.6, 0.0);
    assert_near(info.gravity_scale, -0.7, 0.0);
    staging_close(&s);
}

/* Contacts name the user values of their bodies, with every stepper. */
static void test_users_in_contacts(void **state) {
    (void)state;
    const abut_stepper steppers[] = {ABUT_STEPPER_FIXED, ABUT_STEPPER_EVENT, ABUT_STEPPER_DEM};
    for (int32_t k = 0; k < 3; k++) {
        abut_world_def world = staging_def(9.81);
        world.stepper = steppers[k];
        staging s = staging_make_with(&world);
        abut_body_def def = staging_body(ABUT_BODY_STATIC, s.plane, abut_vec3_make(0, 0, 0));
        def.user = UINT64_C(0xffffffffffffff01);
        staging_put(&s, &def);
        for (int32_t i = 0; i < 3; i++) {
            def = staging_body(ABUT_BODY_DYNAMIC, s.sphere, abut_vec3_make(2.0 * i, 0, 0.4999999));
            def.user = 70 + (uint64_t)i;
            staging_put(&s, &def);
        }
        staging_run(&s, 1e-3, 2);
        const abut_world_contact *contacts;
        int32_t count;
        assert_ok(abut_world_contacts(s.world, &contacts, &count));
        assert_int_equal(count, 3);
        for (int32_t i = 0; i < count; i++) {
            abut_body_info a, b;
            assert_ok(abut_world_body_info(s.world, contacts[i].a, &a));
            assert_ok(abut_world_body_info(s.world, contacts[i].b, &b));
            assert_true(contacts[i].user_a == a.user && contacts[i].user_b == b.user);
            assert_true(a.user + b.user == 70 + (uint64_t)i + UINT64_C(0xffffffffffffff01));
        }
        staging_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_as_single_reads),    cmocka_unit_test(test_capacities),        cmocka_unit_test(test_arguments),
        cmocka_unit_test(test_info_has_the_definition), cmocka_unit_test(test_users_in_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
