/* Prescribed motion against closed forms, with every stepper. */
#include "io/scene/process/motion.h"
#include "io/scene/simulation.h"
#include "support/io_files.h"

#include <math.h>

static void assert_same_turn(abut_quat p, abut_quat q, double tolerance) {
    assert_near(fabs(p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w), 1.0, tolerance);
}

/* Velocities between two poses lead from one to the other, for turns up to half a turn. */
static void test_velocities_lead_to_the_pose(void **state) {
    (void)state;
    const double angles[] = {0.0, 1e-9, 1e-3, 0.5, 1.5, 2.0, 3.0, 3.1415};
    abut_vec3 axis = abut_unit(abut_vec3_make(1, -2, 3)), centre = abut_vec3_make(0.3, 0.1, -0.2);
    abut_pose from = {abut_vec3_make(1, 2, 3), abut_quat_about(abut_unit(abut_vec3_make(2, 1, 0)), 0.7)};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            abut_pose to = {abut_vec3_make(2, 2, 1), abut_quat_mul(abut_quat_about(axis, sign * angles[i]), from.rotation)};
            abut_motion motion = motion_between(from, to, centre, 0.25);
            assert_vec3_near(motion.angular, abut_scale(sign * angles[i] / 0.25, axis), 1e-13 * (1.0 + angles[i]));
            abut_vec3 moved = abut_add_scaled(abut_pose_apply(from, centre), 0.25, motion.linear);
            assert_vec3_near(moved, abut_pose_apply(to, centre), 1e-14);
        }
    }
}

static void test_bodies_follow(void **state) {
    (void)state;
    static const char *const steppers[] = {"fixed", "event", "dem"};
    for (int s = 0; s < 3; s++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            "{\"abut_scene\": 1, \"dt\": 0.01, \"duration\": 1, \"stepper\": {\"kind\": \"%s\"}, \"bodies\": ["
            "{\"name\": \"sieve\", \"kind\": \"kinematic\", \"shape\": {\"box\": {\"half\": [1, 1, 0.1]}}, \"position\": [5, 0, 0], "
            "\"motion\": [{\"oscillate\": {\"axis\": [0, 0, 3], \"amplitude\": 0.2, \"frequency\": 2.5, \"phase_degrees\": 30}, \"from\": "
            "0.1, "
            "\"until\": 0.6}]}, "
            "{\"name\": \"drum\", \"kind\": \"kinematic\", \"shape\": {\"box\": {\"half\": [1, 0.5, 0.1]}}, \"position\": [0, 0, 0], "
            "\"rotation\": {\"axis\": [1, 0, 0], \"degrees\": 20}, \"motion\": [{\"rotate\": {\"axis\": [0, 2, 0], "
            "\"degrees_per_second\": -1000, \"point\": [0.5, 0, 0]}}]}, "
            "{\"name\": \"ram\", \"kind\": \"kinematic\", \"shape\": {\"sphere\": {\"radius\": 0.1}}, \"position\": [0, 9, 0], \"motion\": "
            "[{\"table\": [[0.2, 0, 0, 0], [0.4, 1, 0, 0], [0.5, 1, 0, -1]]}, {\"oscillate\": {\"axis\": [0, 1, 0], \"amplitude\": 0.1, "
            "\"frequency\": 1}}]}]}",
            steppers[s]);
        abut_scene *scene = right_scene(text);
        abut_simulation *simulation = NULL;
        assert_int_equal(abut_scene_warning_count(scene), 0);
        assert_ok(abut_simulation_create(scene, &simulation, NULL));
        for (int k = 1; k <= 100; k++) {
            double t = 0.01 * k;
            abut_body_state sieve, drum, ram;
            assert_ok(abut_simulation_step(simulation, NULL, NULL));
            assert_ok(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 0), &sieve));
            assert_ok(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 1), &drum));
            assert_ok(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 2), &ram));
            double passed = fmin(fmax(t - 0.1, 0.0), 0.5);
            assert_vec3_near(sieve.pose.position, abut_vec3_make(5, 0, 0.2 * (sin(2.0 * PI * 2.5 * passed + PI / 6.0) - 0.5)), 1e-12);
            double turned = -1000.0 / 180.0 * PI * t;
            assert_vec3_near(drum.pose.position, abut_vec3_make(0.5 - 0.5 * cos(turned), 0, 0.5 * sin(turned)), 1e-12);
            assert_same_turn(
                drum.pose.rotation,
                abut_quat_mul(abut_quat_about(abut_vec3_make(0, 1, 0), turned), abut_quat_about(abut_vec3_make(1, 0, 0), PI / 9.0)), 1e-12);
            assert_vec3_near(drum.motion.angular, abut_vec3_make(0, -1000.0 / 180.0 * PI, 0), 1e-9);
            double x = fmin(fmax((t - 0.2) / 0.2, 0.0), 1.0), z = -fmin(fmax((t - 0.4) / 0.1, 0.0), 1.0);
            assert_vec3_near(ram.pose.position, abut_vec3_make(x, 9.0 + 0.1 * sin(2.0 * PI * t), z), 1e-12);
        }
        abut_simulation_destroy(simulation);
        abut_scene_destroy(scene);
    }
}

/* A ball in a turning frame of plates is carried along; a run that goes on from a saved state is the same. */
static void test_a_saved_state_goes_on(void **state) {
    (void)state;
    abut_scene *scene = right_scene(
        "{\"abut_scene\": 1, \"dt\": 0.01, \"duration\": 1, \"stepper\": {\"kind\": \"dem\"}, \"bodies\": [{\"name\": \"plate\", \"kind\": "
        "\"kinematic\", \"shape\": {\"box\": {\"half\": [1, 1, 0.1]}}, \"motion\": [{\"oscillate\": {\"axis\": [1, 0, 0], \"amplitude\": "
        "0.05, "
        "\"frequency\": 2}}, {\"rotate\": {\"axis\": [0, 1, 0], \"degrees_per_second\": 10}}]}, {\"name\": \"ball\", \"shape\": "
        "{\"sphere\": "
        "{\"radius\": 0.1}}, \"position\": [0, 0, 0.2]}]}");
    abut_simulation *whole = NULL, *resumed = NULL;
    assert_ok(abut_simulation_create(scene, &whole, NULL));
    assert_ok(abut_simulation_create(scene, &resumed, NULL));
    for (int k = 0; k < 40; k++) {
        assert_ok(abut_simulation_step(whole, NULL, NULL));
    }
    size_t size = 0;
    assert_status(abut_simulation_save(whole, NULL, 0, &size), ABUT_ERROR_CAPACITY);
    void *saved = malloc(size);
    assert_ok(abut_simulation_save(whole, saved, size, &size));
    assert_ok(abut_simulation_restore(resumed, saved, size));
    free(saved);
    for (int k = 0; k < 40; k++) {
        assert_ok(abut_simulation_step(whole, NULL, NULL));
        assert_ok(abut_simulation_step(resumed, NULL, NULL));
        assert_true(abut_world_hash(abut_simulation_world(whole)) == abut_world_hash(abut_simulation_world(resumed)));
    }
    abut_body_state ball;
    assert_ok(abut_world_body_state(abut_simulation_world(whole), abut_simulation_body_id(whole, 1), &ball));
    assert_true(fabs(ball.motion.linear.x) > 0.1); /* friction and slope have moved it */
    abut_simulation_destroy(whole);
    abut_simulation_destroy(resumed);
    abut_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_velocities_lead_to_the_pose), cmocka_unit_test(test_bodies_follow),
                                       cmocka_unit_test(test_a_saved_state_goes_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
