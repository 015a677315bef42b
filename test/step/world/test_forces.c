/* Torques for the next step, and impulses: closed forms, what wakes, and refused arguments. */
#include "support/random.h"
#include "support/staging.h"

static const abut_vec3 zero = {0, 0, 0};

/* An impulse changes linear momentum by itself, and angular momentum about any point by its moment about it. */
static void test_momenta(void **state) {
    (void)state;
    random_state random = random_make(random_seed("test_momenta", 8));
    staging s = staging_make(0.0);
    abut_shape *cone;
    assert_ok(abut_shape_create_pyramid(0.4, 1.0, 12, &cone));
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, staging_keep(&s, cone), abut_vec3_make(1, 2, 3));
    def.mass = 3.0;
    def.pose.rotation = random_rotation(&random);
    def.motion = (abut_motion){{1, 0, -1}, {0.3, 0.2, 0.1}};
    abut_body_id id = staging_put(&s, &def);
    for (int32_t i = 0; i < 50; i++) {
        const staging_momenta before = staging_momenta_of(&s, &id, 1);
        const abut_vec3 impulse = random_vec3(&random, -2, 2), point = random_vec3(&random, -3, 3), turn = random_vec3(&random, -1, 1);
        assert_ok(abut_world_apply_impulse(s.world, id, impulse, point));
        const staging_momenta pushed = staging_momenta_of(&s, &id, 1);
        assert_vec3_near(pushed.linear, abut_add(before.linear, impulse), 1e-12);
        assert_vec3_near(pushed.angular, abut_add(before.angular, abut_cross(point, impulse)), 1e-11);
        assert_ok(abut_world_apply_angular_impulse(s.world, id, turn));
        const staging_momenta turned = staging_momenta_of(&s, &id, 1);
        assert_vec3_near(turned.linear, pushed.linear, 0.0);
        assert_vec3_near(turned.angular, abut_add(pushed.angular, turn), 1e-11);
        staging_run(&s, 1e-3, 1);
    }
    staging_close(&s);
}

/* A cube of mass m and side 1 has the inertia m / 6 about every axis. */
static void test_closed_forms(void **state) {
    (void)state;
    const abut_stepper steppers[] = {ABUT_STEPPER_FIXED, ABUT_STEPPER_EVENT};
    for (int32_t k = 0; k < 2; k++) {
        abut_world_def world = staging_def(0.0);
        world.stepper = steppers[k];
        staging s = staging_make_with(&world);
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.box, zero);
        def.mass = 12.0;
        abut_body_id id = staging_put(&s, &def);
        assert_ok(abut_world_apply_impulse(s.world, id, abut_vec3_make(0, 24, 0), abut_vec3_make(0.5, 0, 0)));
        assert_vec3_near(staging_state(&s, id).motion.linear, abut_vec3_make(0, 2, 0), 1e-15);
        assert_vec3_near(staging_state(&s, id).motion.angular, abut_vec3_make(0, 0, 6), 1e-14);
        assert_ok(abut_world_apply_angular_impulse(s.world, id, abut_vec3_make(0, 0, -12)));
        assert_vec3_near(staging_state(&s, id).motion.angular, zero, 1e-14);
        /* Two torques add up, act for one step, and are gone in the next one. */
        assert_ok(abut_world_apply_torque(s.world, id, abut_vec3_make(3, 0, 0)));
        assert_ok(abut_world_apply_torque(s.world, id, abut_vec3_make(1, 0, 0)));
        assert_vec3_near(staging_state(&s, id).motion.angular, zero, 1e-14);
        staging_run(&s, 0.01, 1);
        assert_vec3_near(staging_state(&s, id).motion.angular, abut_vec3_make(4.0 / 2.0 * 0.01, 0, 0), 1e-14);
        staging_run(&s, 0.01, 1);
        assert_vec3_near(staging_state(&s, id).motion.angular, abut_vec3_make(0.02, 0, 0), 1e-14);
        staging_close(&s);
    }
}

/* The dem stepper, too: a ball of radius r has the inertia 2/5 m r^2. */
static void test_torque_on_a_grain(void **state) {
    (void)state;
    abut_world_def world = staging_def(0.0);
    world.stepper = ABUT_STEPPER_DEM;
    staging s = staging_make_with(&world);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.sphere, zero);
    def.mass = 10.0;
    abut_body_id id = staging_put(&s, &def);
    assert_ok(abut_world_apply_torque(s.world, id, abut_vec3_make(0, 5, 0)));
    staging_run(&s, 1e-3, 2);
    assert_vec3_near(staging_state(&s, id).motion.angular, abut_vec3_make(0, 5e-3, 0), 1e-12);
    staging_close(&s);
}

static void test_what_does_not_move(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    const abut_body_kind kinds[] = {ABUT_BODY_STATIC, ABUT_BODY_KINEMATIC};
    for (int32_t k = 0; k < 2; k++) {
        abut_body_id id = staging_add(&s, kinds[k], k == 0 ? s.plane : s.box, abut_vec3_make(0, 0, 5.0 * k));
        assert_ok(abut_world_apply_impulse(s.world, id, abut_vec3_make(1, 2, 3), abut_vec3_make(1, 1, 1)));
        assert_ok(abut_world_apply_angular_impulse(s.world, id, abut_vec3_make(1, 2, 3)));
        assert_ok(abut_world_apply_torque(s.world, id, abut_vec3_make(1, 2, 3)));
        staging_run(&s, STAGING_STEP, 1);
        assert_vec3_near(staging_state(&s, id).motion.linear, zero, 0.0);
        assert_vec3_near(staging_state(&s, id).motion.angular, zero, 0.0);
        assert_status(abut_world_apply_impulse(s.world, id, abut_vec3_make(NAN, 0, 0), zero), ABUT_ERROR_NOT_FINITE);
    }
    staging_close(&s);
}

static void test_they_wake(void **state) {
    (void)state;
    staging s = staging_make_with(NULL);
    staging_ground(&s, 0.5);
    abut_body_id id = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(0, 0, 0.5));
    for (int32_t k = 0; k < 3; k++) {
        staging_run(&s, STAGING_STEP, 60);
        assert_false(staging_awake(&s, id));
        assert_ok(k == 0   ? abut_world_apply_torque(s.world, id, abut_vec3_make(0, 0, 1e-3))
                  : k == 1 ? abut_world_apply_impulse(s.world, id, abut_vec3_make(0, 0, 1e-3), zero)
                           : abut_world_apply_angular_impulse(s.world, id, abut_vec3_make(0, 0, 1e-3)));
        assert_true(staging_awake(&s, id));
    }
    staging_close(&s);
}

static void test_statuses(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    abut_body_id gone = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, zero), none = {0, 0};
    assert_ok(abut_world_remove_body(s.world, gone));
    abut_body_id id = staging_add(&s, ABUT_BODY_DYNAMIC, s.box, zero);
    const abut_body_id bad[] = {gone, none};
    for (int32_t i = 0; i < 2; i++) {
        assert_status(abut_world_apply_torque(s.world, bad[i], zero), ABUT_ERROR_STALE_ID);
        assert_status(abut_world_apply_impulse(s.world, bad[i], zero, zero), ABUT_ERROR_STALE_ID);
        assert_status(abut_world_apply_angular_impulse(s.world, bad[i], zero), ABUT_ERROR_STALE_ID);
    }
    assert_status(abut_world_apply_torque(NULL, id, zero), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_apply_impulse(NULL, id, zero, zero), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_apply_angular_impulse(NULL, id, zero), ABUT_ERROR_INVALID_ARGUMENT);
    uint64_t hash = abut_world_hash(s.world);
    const abut_vec3 wrong[] = {{NAN, 0, 0}, {0, INFINITY, 0}, {0, 0, -INFINITY}};
    for (int32_t i = 0; i < 3; i++) {
        assert_status(abut_world_apply_torque(s.world, id, wrong[i]), ABUT_ERROR_NOT_FINITE);
        assert_status(abut_world_apply_impulse(s.world, id, wrong[i], zero), ABUT_ERROR_NOT_FINITE);
        assert_status(abut_world_apply_impulse(s.world, id, abut_vec3_make(1, 1, 1), wrong[i]), ABUT_ERROR_NOT_FINITE);
        assert_status(abut_world_apply_angular_impulse(s.world, id, wrong[i]), ABUT_ERROR_NOT_FINITE);
    }
    /* sums that overflow */
    const abut_vec3 huge = {1.5e308, 0, 0};
    assert_ok(abut_world_apply_torque(s.world, id, huge));
    assert_status(abut_world_apply_torque(s.world, id, huge), ABUT_ERROR_NOT_FINITE);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(9, 9, 9));
    def.mass = 1e-3;
    abut_body_id light = staging_put(&s, &def);
    assert_status(abut_world_apply_impulse(s.world, light, huge, abut_vec3_make(9, 9, 9)), ABUT_ERROR_NOT_FINITE);
    assert_status(abut_world_apply_angular_impulse(s.world, light, huge), ABUT_ERROR_NOT_FINITE);
    assert_vec3_near(staging_state(&s, light).motion.linear, zero, 0.0);
    assert_ok(abut_world_remove_body(s.world, light));
    assert_true(abut_world_hash(s.world) == hash);
    staging_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_momenta),           cmocka_unit_test(test_closed_forms),
        cmocka_unit_test(test_torque_on_a_grain), cmocka_unit_test(test_what_does_not_move),
        cmocka_unit_test(test_they_wake),         cmocka_unit_test(test_statuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
