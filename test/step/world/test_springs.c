/* Springs of a world: their motion in closed form, their limits, their ids. */
#include "support/check.h"
#include "support/staging.h"

static abut_spring_id add(staging *s, abut_body_id body, double frequency, double damping_ratio, abut_vec3 anchor, abut_vec3 target) {
    abut_spring_def def = abut_spring_def_default();
    def.body = body;
    def.frequency = frequency;
    def.damping_ratio = damping_ratio;
    def.anchor = anchor;
    def.target = target;
    abut_spring_id id;
    assert_ok(abut_world_add_spring(s->world, &def, &id));
    return id;
}

static void test_an_undamped_spring_swings(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_body_id id = staging_add_turned(&s, s.sphere, abut_vec3_make(1, 0, 0), abut_quat_identity());
    abut_vec3 zero = {0, 0, 0};
    add(&s, id, 0.5, 0.0, zero, zero);
    double energy = 0.0;
    for (int i = 1; i <= 240; i++) {
        abut_step_report report = staging_run(&s, STAGING_STEP, 1);
        assert_near(staging_state(&s, id).centre.x, cos(PI * i / 60.0), 1e-4);
        energy = i == 1 ? report.kinetic_energy + report.spring_energy : energy;
        assert_near((report.kinetic_energy + report.spring_energy) / energy, 1.0, 1e-3);
    }
    staging_close(&s);
}

static void test_a_critically_damped_spring_does_not_overshoot(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_body_id id = staging_add_turned(&s, s.sphere, abut_vec3_make(1, 0, 0), abut_quat_identity());
    abut_vec3 zero = {0, 0, 0};
    add(&s, id, 1.0, 1.0, zero, zero);
    for (int i = 1; i <= 120; i++) {
        staging_run(&s, STAGING_STEP, 1);
        double t = i / 60.0, w = 2.0 * PI;
        assert_near(staging_state(&s, id).centre.x, (1.0 + w * t) * exp(-w * t), 6e-3);
        assert_true(staging_state(&s, id).centre.x > 0.0);
    }
    staging_close(&s);
}

static void test_a_stiff_spring_is_stable(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    abut_body_id id = staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 0), abut_quat_identity());
    abut_vec3 corner = {0.5, 0.5, 0.5};
    add(&s, id, 1e4, 1.0, corner, corner);
    staging_run(&s, STAGING_STEP, 1200);
    abut_body_state st = staging_state(&s, id);
    assert_vec3_near(abut_pose_apply(st.pose, corner), corner, 1e-3);
    staging_close(&s);
}

static void test_a_hanging_body_stretches_its_spring(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    abut_body_id id = staging_add_turned(&s, s.sphere, abut_vec3_make(0, 0, 0), abut_quat_identity());
    abut_vec3 zero = {0, 0, 0};
    add(&s, id, 2.0, 1.0, zero, zero);
    abut_step_report report = staging_run(&s, STAGING_STEP, 300);
    double w = 2.0 * PI * 2.0, stretch = 9.81 / (w * w);
    assert_near(staging_state(&s, id).centre.z, -stretch, 1e-9);
    double mass = 1000.0 * 4.0 / 3.0 * PI * 0.125;
    assert_near(report.spring_energy, 0.5 * mass * w * w * stretch * stretch, 1e-6 * report.spring_energy);
    staging_close(&s);
}

static void test_force_is_limited(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_body_id id = staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 0), abut_quat_identity());
    abut_spring_def def = abut_spring_def_default();
    def.body = id;
    def.target = abut_vec3_make(100, 0, 0);
    def.max_force = 50.0;
    assert_ok(abut_world_add_spring(s.world, &def, NULL));
    staging_run(&s, STAGING_STEP, 60);
    assert_near(staging_state(&s, id).motion.linear.x, 0.05, 1e-12); /* F t / m */
    assert_near(staging_state(&s, id).centre.x, 0.025, 1e-12);
    staging_close(&s);
}

static void test_a_moved_target_is_followed(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    staging_ground(&s, 0.5);
    abut_body_id id = staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 0.5), abut_quat_identity());
    abut_spring_id spring = add(&s, id, 5.0, 1.0, abut_vec3_make(0, 0, 0.5), abut_vec3_make(0, 0, 1.0));
    for (int i = 1; i <= 120; i++) {
        assert_ok(abut_world_set_spring_target(s.world, spring, abut_vec3_make(0, 0, 1.0 + i / 60.0)));
        staging_run(&s, STAGING_STEP, 1);
    }
    assert_near(staging_state(&s, id).centre.z, 2.5, 0.1);
    assert_ok(abut_world_remove_spring(s.world, spring));
    staging_run(&s, STAGING_STEP, 120);
    assert_near(staging_state(&s, id).centre.z, 0.5, 1e-6);
    staging_close(&s);
}

static void test_ids(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_vec3 zero = {0, 0, 0}, bad = {NAN, 0, 0};
    abut_body_id body = staging_add_turned(&s, s.box, zero, abut_quat_identity()),
                 other = staging_add_turned(&s, s.box, abut_vec3_make(3, 0, 0), abut_quat_identity());
    abut_spring_id first = add(&s, body, 1.0, 1.0, zero, zero), keeps = add(&s, other, 1.0, 1.0, zero, zero);
    assert_status(abut_world_set_spring_target(s.world, first, bad), ABUT_ERROR_NOT_FINITE);
    assert_ok(abut_world_remove_spring(s.world, first));
    assert_status(abut_world_remove_spring(s.world, first), ABUT_ERROR_STALE_ID);
    assert_status(abut_world_set_spring_target(s.world, first, zero), ABUT_ERROR_STALE_ID);
    abut_spring_id second = add(&s, body, 1.0, 1.0, zero, zero);
    assert_int_equal(second.index, first.index);
    assert_int_equal(second.generation, first.generation + 1);
    assert_ok(abut_world_remove_body(s.world, body)); /* takes its springs along */
    assert_status(abut_world_set_spring_target(s.world, second, zero), ABUT_ERROR_STALE_ID);
    assert_ok(abut_world_set_spring_target(s.world, keeps, zero));
    staging_close(&s);
}

static void test_definitions_are_checked(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    abut_body_id floor = staging_ground(&s, 0.5), body = staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 5), abut_quat_identity());
    abut_spring_def def[8];
    for (int i = 0; i < 8; i++) {
        def[i] = abut_spring_def_default();
        def[i].body = body;
    }
    def[0].frequency = 0.0;
    def[1].damping_ratio = -1.0;
    def[2].max_force = -1.0;
    def[3].body = floor;
    def[4].max_force = NAN;
    def[5].anchor.x = INFINITY;
    def[6].frequency = 1e200;
    def[7].frequency = NAN;
    for (int i = 0; i < 8; i++) {
        abut_spring_id id = {9, 9};
        assert_status(abut_world_add_spring(s.world, &def[i], &id), i < 4 ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_ERROR_NOT_FINITE);
        assert_int_equal(id.index, 9);
    }
    assert_status(abut_world_add_spring(s.world, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    staging_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_undamped_spring_swings),
        cmocka_unit_test(test_a_critically_damped_spring_does_not_overshoot),
        cmocka_unit_test(test_a_stiff_spring_is_stable),
        cmocka_unit_test(test_a_hanging_body_stretches_its_spring),
        cmocka_unit_test(test_force_is_limited),
        cmocka_unit_test(test_a_moved_target_is_followed),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_definitions_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
