/* The report of a step: energies in closed form, counts, the deepest contact. */
#include "support/check.h"
#include "support/staging.h"

static void test_energies(void **state) {
    (void)state;
    abut_world_def world = staging_def(0.0);
    world.gravity = abut_vec3_make(1.0, 2.0, -3.0);
    staging s = staging_make_with(&world);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.box, abut_vec3_make(10, 0, 0));
    def.motion.linear = abut_vec3_make(1, 2, 2);
    def.motion.angular = abut_vec3_make(0, 0, 6);
    abut_body_id id = staging_put(&s, &def);
    abut_spring_def spring = abut_spring_def_default();
    spring.body = id;
    spring.target = abut_vec3_make(0, 0, 0);
    spring.max_force = 0.0; /* stretched, but does not pull */
    assert_ok(abut_world_add_spring(s.world, &spring, NULL));
    abut_step_report report = staging_run(&s, STAGING_STEP, 1);
    abut_body_state st = staging_state(&s, id);
    double expected = 0.5 * 1000.0 * abut_length_squared(st.motion.linear) + 0.5 * 1000.0 / 6.0 * 36.0;
    assert_near(report.kinetic_energy, expected, 1e-9 * expected);
    assert_near(report.potential_energy, -1000.0 * abut_dot(world.gravity, st.centre), 1e-9 * expected);
    double w = 2.0 * PI * 5.0;
    assert_near(report.spring_energy, 0.5 * 1000.0 * w * w * abut_length_squared(st.centre), 1e-9 * report.spring_energy);
    staging_close(&s);
}

static void test_counts(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    staging_ground(&s, 0.5);
    for (int i = 0; i < 3; i++) {
        staging_add_turned(&s, s.box, abut_vec3_make(3.0 * i, 0, i == 2 ? 0.47 : 0.5), abut_quat_identity());
    }
    staging_add_turned(&s, s.sphere, abut_vec3_make(20, 0, 9), abut_quat_identity());
    abut_step_report report = staging_run(&s, STAGING_STEP, 1);
    assert_int_equal(report.step, 1);
    assert_near(report.time, 1.0 / 60.0, 1e-15);
    assert_int_equal(report.bodies, 5);
    assert_int_equal(report.awake, 4);
    assert_int_equal(report.candidates, 3);
    assert_int_equal(report.touching, 3);
    assert_int_equal(report.contacts, 12);
    assert_near(report.max_penetration, 0.03, 1e-12); /* as at the beginning of the step */
    assert_true(report.seconds_broad >= 0.0 && report.seconds_narrow >= 0.0 && report.seconds_solve >= 0.0);
    assert_true(report.seconds_total >= report.seconds_solve);
    staging_close(&s);
}

static void test_contacts_come_in_the_order_of_the_slots(void **state) {
    (void)state;
    staging s = staging_make(9.81);
    abut_body_id high = staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 1.5), abut_quat_identity());
    abut_body_id low = staging_add_turned(&s, s.box, abut_vec3_make(0, 0, 0.5), abut_quat_identity());
    abut_body_id floor = staging_ground(&s, 0.5);
    staging_run(&s, STAGING_STEP, 2);
    const abut_world_contact *contacts;
    int32_t count;
    assert_ok(abut_world_contacts(s.world, &contacts, &count));
    assert_int_equal(count, 8);
    for (int i = 0; i < 8; i++) {
        assert_int_equal(contacts[i].a.index, i < 4 ? high.index : low.index);
        assert_int_equal(contacts[i].b.index, i < 4 ? low.index : floor.index);
        assert_near(contacts[i].contact.normal.z, 1.0, 1e-12); /* from B into A */
        assert_near(contacts[i].normal_force, (i < 4 ? 1.0 : 2.0) * 1000.0 * 9.81 / 4.0, 1e-4);
    }
    staging_close(&s);
}

static void test_contacts_ahead_of_time_are_not_reported(void **state) {
    (void)state;
    staging s = staging_make(0.0);
    staging_ground(&s, 0.5);
    abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.sphere, abut_vec3_make(0, 0, 0.7));
    def.motion.linear = abut_vec3_make(0, 0, -6.0);
    staging_put(&s, &def);
    abut_step_report report = staging_run(&s, STAGING_STEP, 1); /* gap 0.2, more than the margin of 0.02 plus 0.1 of motion */
    assert_int_equal(report.touching, 0);
    assert_int_equal(report.contacts, 0);
    report = staging_run(&s, STAGING_STEP, 1); /* gap 0.1, and the same motion: the impact is resolved or left out, but nothing
                                                * penetrates */
    report = staging_run(&s, STAGING_STEP, 1);
    assert_int_equal(report.contacts, 1);
    assert_true(report.max_penetration < 1e-9);
    staging_close(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_energies),
        cmocka_unit_test(test_counts),
        cmocka_unit_test(test_contacts_come_in_the_order_of_the_slots),
        cmocka_unit_test(test_contacts_ahead_of_time_are_not_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
