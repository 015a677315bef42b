/* Falling asleep and waking, island by island. */
#include "support/check.h"
#include "support/staging.h"

static staging sleepy_stage(void) {
    abut_world_def def = staging_def(9.81);
    def.fixed.sleeping = true;
    return staging_make_with(&def);
}

static bool awake(const staging *s, abut_body_id id) { return staging_state(s, id).awake; }

static abut_body_id put(staging *s, double x, double z) { return staging_add(s, ABUT_BODY_DYNAMIC, s->box, abut_vec3_make(x, 0, z)); }

static void test_sleeps_after_the_time(void **state) {
    (void)state;
    staging s = sleepy_stage();
    staging_ground(&s, 0.5);
    abut_body_id id = put(&s, 0, 0.5);
    staging_run(&s, STAGING_STEP, 28);
    assert_true(awake(&s, id));
    abut_step_report report = staging_run(&s, STAGING_STEP, 4);
    assert_false(awake(&s, id));
    assert_int_equal(report.awake, 0);
    assert_true(staging_state(&s, id).motion.linear.z == 0.0);
    /* A sleeping island keeps its contacts and their forces. */
    uint64_t hash = abut_world_hash(s.world);
    report = staging_run(&s, STAGING_STEP, 10);
    assert_int_equal(report.contacts, 4);
    assert_true(abut_world_hash(s.world) == hash);
    const abut_world_contact *contacts;
    int32_t count;
    assert_ok(abut_world_contacts(s.world, &contacts, &count));
    assert_near(contacts[0].normal_force, 1000.0 * 9.81 / 4.0, 1e-6);
    staging_close(&s);
}

static void test_does_not_sleep_when_told_not_to(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    staging_ground(&s, 0.5);
    abut_body_id id = put(&s, 0, 0.5);
    staging_run(&s, STAGING_STEP, 120);
    assert_true(awake(&s, id));
    staging_close(&s);
}

static void test_an_island_sleeps_as_one(void **state) {
    (void)state;
    staging s = sleepy_stage();
    staging_ground(&s, 0.5);
    abut_body_id low = put(&s, 0, 0.5), high = put(&s, 0, 1.5), apart = put(&s, 5, 0.5);
    for (int i = 0; i < 60; i++) {
        /* Something keeps the upper body moving. */
        assert_ok(abut_world_set_body_motion(s.world, high, (abut_motion){abut_vec3_make(0, 0, 0), abut_vec3_make(0, 0, 0.5)}));
        staging_run(&s, STAGING_STEP, 1);
        assert_true(awake(&s, low) && awake(&s, high));
    }
    assert_false(awake(&s, apart));
    staging_run(&s, STAGING_STEP, 60);
    assert_false(awake(&s, low) || awake(&s, high));
    staging_close(&s);
}

static void test_an_impact_wakes_the_whole_stack(void **state) {
    (void)state;
    staging s = sleepy_stage();
    staging_ground(&s, 0.5);
    abut_body_id stack[4], apart = put(&s, 5, 0.5);
    for (int i = 0; i < 4; i++) {
        stack[i] = put(&s, 0, 0.5 + i);
    }
    staging_run(&s, STAGING_STEP, 60);
    assert_false(awake(&s, stack[0]) || awake(&s, stack[3]));
    abut_body_id ball = staging_add_turned(&s, s.sphere, abut_vec3_make(0, 0, 5.5), abut_quat_identity());
    bool woke = false;
    for (int i = 0; i < 60 && !woke; i++) {
        staging_run(&s, STAGING_STEP, 1);
        woke = awake(&s, stack[3]);
        assert_int_equal(awake(&s, stack[0]), woke);
    }
    assert_true(woke && awake(&s, ball));
    assert_false(awake(&s, apart));
    staging_close(&s);
}

static void test_what_the_caller_does_wakes(void **state) {
    (void)state;
    for (int action = 0; action < 7; action++) {
        staging s = sleepy_stage();
        staging_ground(&s, 0.5);
        abut_body_id low = put(&s, 0, 0.5), high = put(&s, 0, 1.5);
        abut_spring_def def = abut_spring_def_default();
        def.body = low;
        def.target = abut_vec3_make(0, 0, 0.5);
        abut_spring_id spring = {0, 0};
        if (action >= 5) {
            assert_ok(abut_world_add_spring(s.world, &def, &spring));
        }
        staging_run(&s, STAGING_STEP, 120);
        assert_false(awake(&s, low) || awake(&s, high));
        abut_vec3 zero = {0, 0, 0};
        switch (action) {
        case 0:
            assert_ok(abut_world_set_body_motion(s.world, low, (abut_motion){zero, zero}));
            break;
        case 1:
            assert_ok(abut_world_set_body_pose(s.world, low, staging_state(&s, low).pose));
            break;
        case 2:
            assert_ok(abut_world_apply_force(s.world, low, abut_vec3_make(1, 0, 0), zero));
            break;
        case 3:
            assert_ok(abut_world_add_spring(s.world, &def, NULL));
            break;
        case 4:
            assert_ok(abut_world_remove_body(s.world, high));
            break;
        case 5:
            assert_ok(abut_world_set_spring_target(s.world, spring, zero));
            break;
        default:
            assert_ok(abut_world_remove_spring(s.world, spring));
            break;
        }
        assert_true(awake(&s, low));
        staging_run(&s, STAGING_STEP, 1);
        assert_true(action == 4 || awake(&s, high)); /* by the contact */
        staging_close(&s);
    }
}

static void test_what_rested_on_a_removed_body_falls(void **state) {
    (void)state;
    staging s = sleepy_stage();
    abut_body_id floor = staging_ground(&s, 0.5);
    abut_body_id low = put(&s, 0, 0.5), high = put(&s, 0, 1.5);
    staging_run(&s, STAGING_STEP, 60);
    assert_ok(abut_world_remove_body(s.world, low));
    assert_true(awake(&s, high));
    staging_run(&s, STAGING_STEP, 120);
    assert_near(staging_state(&s, high).centre.z, 0.5, 1e-4);
    assert_false(awake(&s, high));
    /* The floor itself: a static body. */
    assert_ok(abut_world_remove_body(s.world, floor));
    assert_true(awake(&s, high));
    staging_run(&s, STAGING_STEP, 60);
    assert_true(staging_state(&s, high).centre.z < -3.0);
    staging_close(&s);
}

static void test_a_moved_static_body_wakes(void **state) {
    (void)state;
    staging s = sleepy_stage();
    abut_body_id floor = staging_ground(&s, 0.5), id = put(&s, 0, 0.5);
    staging_run(&s, STAGING_STEP, 60);
    assert_false(awake(&s, id));
    abut_pose lower = abut_pose_identity();
    lower.position.z = -1.0;
    assert_ok(abut_world_set_body_pose(s.world, floor, lower));
    staging_run(&s, STAGING_STEP, 120);
    assert_near(staging_state(&s, id).centre.z, -0.5, 1e-4);
    assert_false(awake(&s, id));
    /* And one that moves up into it. */
    lower.position.z = -0.95;
    assert_ok(abut_world_set_body_pose(s.world, floor, lower));
    staging_run(&s, STAGING_STEP, 1);
    assert_true(awake(&s, id));
    staging_close(&s);
}

static void test_on_a_moving_platform_nobody_sleeps(void **state) {
    (void)state;
    staging s = sleepy_stage();
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 0));
    def.kind = ABUT_BODY_KINEMATIC;
    def.motion.linear = abut_vec3_make(0, 0, 0.001); /* slower than what counts as rest */
    abut_body_id platform = staging_put(&s, &def), id = put(&s, 0, 1.0);
    staging_run(&s, STAGING_STEP, 120);
    assert_true(awake(&s, id) && awake(&s, platform));
    abut_vec3 zero = {0, 0, 0};
    assert_ok(abut_world_set_body_motion(s.world, platform, (abut_motion){zero, zero}));
    staging_run(&s, STAGING_STEP, 60);
    assert_false(awake(&s, id));
    assert_ok(abut_world_set_body_motion(s.world, platform, (abut_motion){abut_vec3_make(0, 0, 1), zero}));
    staging_run(&s, STAGING_STEP, 60);
    assert_true(awake(&s, id));
    assert_near(staging_state(&s, id).centre.z, staging_state(&s, platform).centre.z + 1.0, 1e-3);
    staging_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sleeps_after_the_time),      cmocka_unit_test(test_does_not_sleep_when_told_not_to),
        cmocka_unit_test(test_an_island_sleeps_as_one),    cmocka_unit_test(test_an_impact_wakes_the_whole_stack),
        cmocka_unit_test(test_what_the_caller_does_wakes), cmocka_unit_test(test_what_rested_on_a_removed_body_falls),
        cmocka_unit_test(test_a_moved_static_body_wakes),  cmocka_unit_test(test_on_a_moving_platform_nobody_sleeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
