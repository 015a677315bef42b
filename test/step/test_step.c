/* Calls that know all steppers: the report of a world at any time. That it agrees with the reports of steps and with a restored world:
 * test/step/test_save.c. */
#include <string.h>

#include <abut/smooth.h>

#include "support/allocator.h"
#include "support/staging.h"
#include "support/user_surface.h"

static abut_step_report report_of(const abut_world *world) {
    abut_step_report report;
    memset(&report, 0xff, sizeof report);
    assert_ok(abut_world_report(world, &report));
    return report;
}

static void test_before_the_first_step(void **state) {
    (void)state;
    for (int stepper = ABUT_STEPPER_FIXED; stepper <= ABUT_STEPPER_DEM; stepper++) {
        abut_world_def world = staging_def(10.0);
        world.stepper = (abut_stepper)stepper;
        staging s = staging_make_with(&world);
        staging_ground(&s, 0.5);
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.sphere, abut_vec3_make(0, 0, 0.49));
        def.mass = 2.0;
        def.motion.linear = abut_vec3_make(3, 0, 0);
        abut_spring_def spring = abut_spring_def_default();
        spring.body = staging_put(&s, &def);
        spring.target = abut_vec3_make(0, 0, 1.49);
        assert_ok(abut_world_add_spring(s.world, &spring, NULL));
        const abut_step_report r = report_of(s.world);
        assert_true(r.step == 0 && r.time == 0.0 && r.bodies == 2 && r.awake == 1);
        assert_near(r.kinetic_energy, 9.0, 1e-12);
        assert_near(r.potential_energy, 2.0 * 10.0 * 0.49, 1e-12);
        double w = 2.0 * 3.14159265358979323846 * 5.0;
        assert_near(r.spring_energy, 0.5 * 2.0 * w * w, 1e-9);
        /* There are no contacts before the first step, although the ball overlaps the ground. */
        assert_true(r.touching == 0 && r.contacts == 0 && r.max_penetration == 0.0);
        assert_true(r.dem.elastic_energy == 0.0 && r.dem.spring_energy == 0.0);
        staging_close(&s);
    }
}

/* Balls of one metre that overlap a plane by a millimetre, with friction. */
static staging make_grains(int32_t count) {
    abut_world_def world = staging_def(9.81);
    world.stepper = ABUT_STEPPER_DEM;
    staging s = staging_make_with(&world);
    staging_ground(&s, 0.5);
    for (int32_t i = 0; i < count; i++) {
        abut_body_def def = staging_body(ABUT_BODY_DYNAMIC, s.sphere, abut_vec3_make(2.0 * i, 0, 0.499));
        def.motion.linear = abut_vec3_make(0.1, 0, 0);
        staging_put(&s, &def);
    }
    return s;
}

/* Friction at its limit: the forces of a report see other velocities than those of the step's end, and must not shorten the springs. */
static void test_the_report_of_sliding_grains(void **state) {
    (void)state;
    staging s = make_grains(3);
    for (int i = 0; i < 20; i++) {
        const abut_step_report made = staging_run(&s, 1e-4, 1), now = report_of(s.world);
        assert_true(made.dem.elastic_energy > 0.0 && made.dem.spring_energy > 0.0);
        assert_near(now.dem.elastic_energy, made.dem.elastic_energy, 1e-12 * made.dem.elastic_energy);
        assert_near(now.dem.spring_energy, made.dem.spring_energy, 1e-12 * made.dem.spring_energy);
    }
    staging_close(&s);
}

/* The energies follow a body that is moved or removed between two steps. */
static void test_the_report_after_a_change(void **state) {
    (void)state;
    staging s = make_grains(2);
    const abut_step_report made = staging_run(&s, 1e-4, 1);
    abut_body_id ids[3];
    int32_t count;
    assert_ok(abut_world_body_ids(s.world, ids, 3, &count));
    assert_ok(abut_world_remove_body(s.world, ids[2]));
    assert_near(report_of(s.world).dem.elastic_energy, 0.5 * made.dem.elastic_energy, 1e-12 * made.dem.elastic_energy);
    assert_near(report_of(s.world).dem.spring_energy, 0.5 * made.dem.spring_energy, 1e-12 * made.dem.spring_energy);
    abut_pose high = staging_state(&s, ids[1]).pose;
    high.position.z = 5.0;
    assert_ok(abut_world_set_body_pose(s.world, ids[1], high));
    assert_true(report_of(s.world).dem.elastic_energy == 0.0);
    staging_close(&s);
}

static void test_reports_change_nothing(void **state) {
    (void)state;
    staging s = make_grains(4), t = make_grains(4);
    for (int i = 0; i < 10; i++) {
        staging_run(&s, 1e-3, 1);
        staging_run(&t, 1e-3, 1);
        (void)report_of(t.world);
        assert_true(abut_world_hash(s.world) == abut_world_hash(t.world));
    }
    staging_close(&s);
    staging_close(&t);
}

static void test_statuses_of_reports(void **state) {
    (void)state;
    staging s = make_grains(1);
    abut_step_report report, untouched;
    memset(&report, 0xa5, sizeof report);
    untouched = report;
    assert_status(abut_world_report(NULL, &report), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_world_report(s.world, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    staging_run(&s, 1e-4, 1);
    user_torus ring = {2.0, 0.03}; /* too thin for a mesh of its surface */
    const abut_implicit_def def = user_torus_implicit(&ring);
    abut_shape *torus;
    assert_ok(abut_shape_create_implicit(&def, &torus));
    staging_add(&s, ABUT_BODY_DYNAMIC, staging_keep(&s, torus), abut_vec3_make(0, 0, 9));
    assert_status(abut_world_report(s.world, &report), ABUT_ERROR_UNSUPPORTED_PAIR);
    assert_memory_equal(&report, &untouched, sizeof report);
    staging_close(&s);
}

static void test_no_memory_for_a_report(void **state) {
    (void)state;
    counting_allocator memory;
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = -1};
        counting_allocator_install(&memory);
        staging s = make_grains(2);
        staging_run(&s, 1e-4, 1);
        memory.refuse_at = memory.requests + refused++;
        abut_step_report report, untouched;
        memset(&report, 0xa5, sizeof report);
        untouched = report;
        int64_t before = memory.live;
        abut_status status = abut_world_report(s.world, &report);
        assert_int_equal(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_int_equal(memory.live, before);
        assert_true(status == ABUT_OK || memcmp(&report, &untouched, sizeof report) == 0);
        staging_close(&s);
        assert_int_equal(memory.live, 0);
        counting_allocator_remove();
    } while (memory.refused);
    assert_true(refused > 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_before_the_first_step),     cmocka_unit_test(test_the_report_of_sliding_grains),
        cmocka_unit_test(test_the_report_after_a_change), cmocka_unit_test(test_reports_change_nothing),
        cmocka_unit_test(test_statuses_of_reports),       cmocka_unit_test(test_no_memory_for_a_report),
    };
    return cmocka_run_group_tests_name("step/step", tests, NULL, NULL);
}
