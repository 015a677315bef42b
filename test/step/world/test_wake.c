/* Waking and sleeping by calls: what stays asleep, what the next step wakes, and refused arguments. */
#include "support/staging.h"

static const abut_vec3 zero = {0, 0, 0};

static void test_asleep_in_the_air(void **state) {
    (void)state;
    for (int32_t sleeping = 0; sleeping < 2; sleeping++) {
        abut_world_def world = staging_def(9.81);
        world.fixed.sleeping = sleeping == 1;
        staging s = staging_make_with(&world);
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 5));
        def.motion = (abut_motion){{1, 2, 3}, {1, 0, 0}};
        abut_body_id id = staging_put(&s, &def);
        assert_ok(abut_world_apply_force(s.world, id, abut_vec3_make(1e3, 0, 0), zero));
        assert_ok(abut_world_sleep_body(s.world, id));
        assert_false(staging_awake(&s, id));
        const abut_body_state before = staging_state(&s, id);
        assert_vec3_near(before.motion.linear, zero, 0.0);
        assert_vec3_near(before.motion.angular, zero, 0.0);
        const abut_step_report report = staging_run(&s, STAGING_STEP, 100);
        assert_int_equal(report.awake, 0);
        const abut_body_state after = staging_state(&s, id);
        assert_memory_equal(&before.pose, &after.pose, sizeof before.pose);
        assert_ok(abut_world_wake_body(s.world, id));
        assert_true(staging_awake(&s, id));
        staging_run(&s, STAGING_STEP, 1);
        assert_vec3_near(staging_state(&s, id).motion.linear, abut_vec3_make(0, 0, -9.81 * STAGING_STEP), 1e-14);
        staging_close(&s);
    }
}

/* A stack whose bodies are all put to sleep sleeps on; one body of it is woken by the others. */
static void test_islands(void **state) {
    (void)state;
    staging s = staging_make_with(NULL);
    staging_ground(&s, 0.5);
    abut_body_id low = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 0.5));
    abut_body_id high = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 1.5));
    staging_run(&s, STAGING_STEP, 2);
    assert_ok(abut_world_sleep_body(s.world, low));
    staging_run(&s, STAGING_STEP, 1);
    assert_true(staging_awake(&s, low));
    assert_ok(abut_world_sleep_body(s.world, low));
    assert_ok(abut_world_sleep_body(s.world, high));
    uint64_t hash = abut_world_hash(s.world);
    abut_step_report report = staging_run(&s, STAGING_STEP, 50);
    assert_true(report.awake == 0 && report.contacts == 8);
    assert_true(abut_world_hash(s.world) == hash);
    assert_ok(abut_world_wake_body(s.world, high));
    assert_false(staging_awake(&s, low));
    staging_run(&s, STAGING_STEP, 1);
    assert_true(staging_awake(&s, low) && staging_awake(&s, high));
    staging_close(&s);
}

static double force_of_all(const staging *s) {
    const abut_world_contact *contacts;
    int32_t count;
    assert_ok(abut_world_contacts(s->world, &contacts, &count));
    double force = 0.0;
    for (int32_t i = 0; i < count; i++) {
        force += contacts[i].normal_force;
    }
    return force;
}

/* Bodies that are put to sleep as soon as they are added or placed get contacts without forces, and rest on them when they wake. */
static void test_asleep_from_the_start(void **state) {
    (void)state;
    const abut_contact_method methods[] = {ABUT_METHOD_PATCH, ABUT_METHOD_TRACKING};
    for (int32_t k = 0; k < 2; k++) {
        abut_world_def world = abut_world_def_default();
        world.method = methods[k];
        staging s = staging_make_with(&world);
        abut_body_def ground = staging_body(ABUT_BODY_STATIC, s.plane, zero);
        staging_put(&s, &ground);
        abut_body_id low = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 0.5));
        abut_body_id high = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 1.5));
        assert_ok(abut_world_sleep_body(s.world, low));
        assert_ok(abut_world_sleep_body(s.world, high));
        abut_step_report report = staging_run(&s, STAGING_STEP, 20);
        assert_true(report.touching == 2 && report.awake == 0);
        assert_near(force_of_all(&s), 0.0, 0.0);
        assert_vec3_near(staging_state(&s, low).pose.position, abut_vec3_make(0, 0, 0.5), 0.0);
        assert_ok(abut_world_wake_body(s.world, high));
        assert_true(staging_run(&s, STAGING_STEP, 1).touching == 2);
        assert_true(staging_awake(&s, low));
        /* It does not sink. Tracking begins with one point for each pair, on which the boxes tilt. */
        assert_near(force_of_all(&s), 3 * 9810.0, k == 0 ? 1e-6 * 9810.0 : 3 * 9810.0);
        assert_true(force_of_all(&s) > 1e3);
        assert_vec3_near(staging_state(&s, low).pose.position, abut_vec3_make(0, 0, 0.5), k == 0 ? 1e-6 : 2e-3);
        /* placed elsewhere and put to sleep: the next step drops the contacts of the old place, and keeps those of others */
        staging_run(&s, STAGING_STEP, 5);
        abut_pose aside = abut_pose_identity();
        aside.position = abut_vec3_make(5, 0, 3);
        assert_ok(abut_world_set_body_pose(s.world, high, aside));
        assert_ok(abut_world_sleep_body(s.world, high));
        report = staging_run(&s, STAGING_STEP, 1);
        assert_true(report.touching == 1 && report.awake == 1);
        assert_vec3_near(staging_state(&s, high).pose.position, aside.position, 0.0);
        staging_close(&s);
    }
}

/* A body in the air is woken by a body that is added below it or moved against it, but not by one that rests there. */
static void test_what_wakes(void **state) {
    (void)state;
    const abut_body_kind kinds[] = {ABUT_BODY_STATIC, ABUT_BODY_KINEMATIC, ABUT_BODY_KINEMATIC, ABUT_BODY_DYNAMIC};
    const double speeds[] = {0.0, 0.0, 1e-3, 0.0};
    for (int32_t k = 0; k < 4; k++) {
        for (int32_t at_once = 0; at_once < 2; at_once++) {
            staging s = staging_make_with(NULL);
            abut_body_id id = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 5));
            assert_ok(abut_world_sleep_body(s.world, id));
            if (at_once == 0) {
                staging_run(&s, STAGING_STEP, 2);
            }
            abut_body_def def = staging_body(kinds[k], s.box, abut_vec3_make(0, 0, 4));
            def.motion.linear.x = speeds[k];
            abut_body_id below = staging_put(&s, &def);
            staging_run(&s, STAGING_STEP, 1);
            assert_true(staging_awake(&s, id) == (at_once == 0 || k >= 2));
            if (k == 1) {
                assert_ok(abut_world_sleep_body(s.world, id));
                staging_run(&s, STAGING_STEP, 3);
                assert_false(staging_awake(&s, id));
                assert_ok(abut_world_set_body_motion(s.world, below, (abut_motion){{0, 1e-3, 0}, {0, 0, 0}}));
                staging_run(&s, STAGING_STEP, 1);
                assert_true(staging_awake(&s, id));
            }
            staging_close(&s);
        }
    }
}

static void test_springs_do_not_pull(void **state) {
    (void)state;
    staging s = staging_make_with(NULL);
    abut_spring_def spring = abut_spring_def_default();
    spring.body = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, zero);
    spring.target = abut_vec3_make(3, 0, 0);
    assert_ok(abut_world_add_spring(s.world, &spring, NULL));
    assert_ok(abut_world_sleep_body(s.world, spring.body));
    staging_run(&s, STAGING_STEP, 5);
    assert_vec3_near(staging_state(&s, spring.body).pose.position, zero, 0.0);
    assert_ok(abut_world_wake_body(s.world, spring.body));
    staging_run(&s, STAGING_STEP, 5);
    assert_true(staging_state(&s, spring.body).pose.position.x > 0.1);
    staging_close(&s);
}

/* Waking restarts the time that a body must rest. */
static void test_rest_begins_anew(void **state) {
    (void)state;
    staging s = staging_make_with(NULL);
    staging_ground(&s, 0.5);
    abut_body_id id = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 0.5));
    for (int32_t i = 0; i < 5; i++) {
        staging_run(&s, STAGING_STEP, 25); /* of the 30 steps that it must rest */
        assert_true(staging_awake(&s, id));
        assert_ok(abut_world_wake_body(s.world, id));
    }
    staging_run(&s, STAGING_STEP, 40);
    assert_false(staging_awake(&s, id));
    staging_close(&s);
}

static void test_statuses(void **state) {
    (void)state;
    staging s = staging_make_with(NULL);
    abut_body_id gone = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, zero);
    assert_ok(abut_world_remove_body(s.world, gone));
    assert_status(abut_world_wake_body(s.world, gone), ABUT_ERROR_STALE_ID);
    assert_status(abut_world_sleep_body(s.world, gone), ABUT_ERROR_STALE_ID);
    assert_status(abut_world_wake_body(NULL, gone), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_sleep_body(NULL, gone), ABUT_ERROR_INVALID_ARGUMENT);
    abut_body_def def = staging_body(ABUT_BODY_KINEMATIC, s.box, abut_vec3_make(0, 0, 9));
    def.motion.linear = abut_vec3_make(1, 0, 0);
    abut_body_id moved = staging_put(&s, &def), fixed = staging_ground(&s, 0.5);
    uint64_t hash = abut_world_hash(s.world);
    assert_ok(abut_world_sleep_body(s.world, moved));
    assert_ok(abut_world_wake_body(s.world, moved));
    assert_ok(abut_world_sleep_body(s.world, fixed));
    assert_ok(abut_world_wake_body(s.world, fixed));
    assert_true(abut_world_hash(s.world) == hash);
    assert_true(staging_awake(&s, moved) && !staging_awake(&s, fixed));
    staging_close(&s);
    const abut_stepper others[] = {ABUT_STEPPER_EVENT, ABUT_STEPPER_DEM};
    for (int32_t k = 0; k < 2; k++) {
        abut_world_def world = staging_def(9.81);
        world.stepper = others[k];
        s = staging_make_with(&world);
        abut_body_id ball = staging_add(&s, ABUT_BODY_DYNAMIC, s.sphere, zero);
        assert_status(abut_world_sleep_body(s.world, ball), ABUT_ERROR_UNSUPPORTED);
        assert_true(staging_awake(&s, ball));
        assert_ok(abut_world_wake_body(s.world, ball));
        staging_close(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_asleep_in_the_air),
        cmocka_unit_test(test_islands),
        cmocka_unit_test(test_asleep_from_the_start),
        cmocka_unit_test(test_what_wakes),
        cmocka_unit_test(test_springs_do_not_pull),
        cmocka_unit_test(test_rest_begins_anew),
        cmocka_unit_test(test_statuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
