/* Actions in time, against closed forms of motion without contact. */
#include "support/io_files.h"
#include "io/scene/simulation.h"

#include <math.h>

/* No gravity and no sleeping; one box of mass 8 at the origin and one at x = 10. */
static abut_simulation *start(const char *actions, abut_scene **scene) {
    char text[2048];
    snprintf(
        text, sizeof text,
        "{\"abut_scene\": 1, \"duration\": 2, \"dt\": 0.125, \"gravity\": [0, 0, 0], \"stepper\": {\"sleeping\": false, \"substeps\": 1},"
        " \"shapes\": {\"cube\": {\"box\": {\"half\": [0.5, 0.5, 0.5]}}}, \"bodies\": [{\"name\": \"a\", \"shape\": \"cube\", \"mass\": 8},"
        " {\"name\": \"b\", \"shape\": \"cube\", \"position\": [10, 0, 0]}, {\"name\": \"k\", \"kind\": \"kinematic\", \"shape\": \"cube\","
        " \"position\": [20, 0, 0], \"velocity\": [0, 1, 0], \"angular_velocity\": [0, 0, 1]}], \"actions\": [%s]}",
        actions);
    *scene = right_scene(text);
    abut_simulation *simulation = NULL;
    abut_error error = {ABUT_OK, ""};
    if (abut_simulation_create(*scene, &simulation, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    return simulation;
}

static void step_to(abut_simulation *simulation, int64_t step) {
    while (abut_simulation_step_index(simulation) < step) {
        abut_error error = {ABUT_OK, ""};
        if (abut_simulation_step(simulation, NULL, &error) != ABUT_OK) {
            fail_msg("%s", error.message);
        }
    }
}

static abut_body_state state_of(const abut_simulation *simulation, int32_t body) {
    abut_body_state found = {0};
    assert_ok(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, body), &found));
    return found;
}

static void finish(abut_simulation *simulation, abut_scene *scene) {
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

/* What a scene says of pairs and surfaces gets into its world: a ball falls through the floor, a sled with a runner of ice turns. */
static void test_pairs_and_surfaces(void **state) {
    (void)state;
    abut_scene *scene = right_scene(
        "{\"abut_scene\": 1, \"duration\": 0.5, \"materials\": {\"ice\": {\"friction\": 0}, \"rubber\": {\"friction\": 0.9}},"
        " \"bodies\": [{\"name\": \"floor\", \"kind\": \"static\", \"shape\": {\"box\": {\"half\": [9, 9, 1]}}, \"position\": [0, 0, -1]},"
        " {\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 0.5}}, \"position\": [3, 3, 0.5]},"
        " {\"name\": \"sled\", \"shape\": {\"compound\": [{\"shape\": {\"box\": {\"half\": [0.5, 0.1, 0.1]}}, \"position\": [0, 0.4, 0]},"
        " {\"shape\": {\"box\": {\"half\": [0.5, 0.1, 0.1]}}, \"position\": [0, -0.4, 0]}]}, \"surfaces\": [\"ice\", \"rubber\"],"
        " \"position\": [0, 0, 0.1], \"velocity\": [2, 0, 0]}], \"never_touch\": [[\"ball\", \"floor\"]]}");
    abut_simulation *simulation = NULL;
    abut_error error = {ABUT_OK, ""};
    assert_ok(abut_simulation_create(scene, &simulation, &error));
    assert_int_equal(abut_scene_excluded_count(scene), 1);
    assert_int_equal(abut_scene_get_excluded(scene, 0)->a, 1);
    assert_int_equal(abut_scene_get_excluded(scene, 0)->b, 0);
    assert_null(abut_scene_get_excluded(scene, 1));
    assert_null(abut_scene_get_excluded(scene, -1));
    step_to(simulation, 15);
    assert_true(state_of(simulation, 1).pose.position.z < 0.25);
    assert_true(state_of(simulation, 2).motion.angular.z < -0.5); /* the rubber is on the right */
    finish(simulation, scene);
}

static void test_beginning_and_end(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start("", &scene);
    assert_ptr_equal(abut_simulation_scene(simulation), scene);
    assert_int_equal(abut_simulation_step_index(simulation), 0);
    assert_near(abut_simulation_time(simulation), 0.0, 0.0);
    assert_vec3_near(state_of(simulation, 1).pose.position, abut_vec3_make(10, 0, 0), 0.0);
    assert_int_equal(abut_simulation_body_id(simulation, -1).index, 0);
    assert_int_equal(abut_simulation_body_id(simulation, 3).index, 0);
    for (int64_t step = 0; step < 16; step++) {
        assert_false(abut_simulation_finished(simulation));
        step_to(simulation, step + 1);
    }
    assert_true(abut_simulation_finished(simulation));
    assert_near(abut_simulation_time(simulation), 2.0, 0.0);
    abut_step_report report;
    assert_ok(abut_simulation_step(simulation, &report, NULL));
    assert_int_equal(report.step, 17);
    assert_vec3_near(state_of(simulation, 2).pose.position, abut_vec3_make(20, 17 * 0.125, 0), 1e-14);
    finish(simulation, scene);
}

/* The impulse of a force is force times dt times its number of steps, with every stepper. */
static void test_force_acts_in_its_steps_and_no_others(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start("{\"at\": 0.3, \"until\": 0.75, \"force\": {\"body\": \"a\", \"force\": [16, 0, 0]}}", &scene);
    step_to(simulation, 2);
    assert_vec3_near(state_of(simulation, 0).motion.linear, abut_vec3_make(0, 0, 0), 0.0);
    for (int64_t step = 3; step <= 16; step++) {
        /* The force acts in steps 2, 3, 4 and 5: 16 N on 8 kg for 1/8 s each. */
        step_to(simulation, step);
        double steps = fmin((double)step - 2, 4);
        assert_vec3_near(state_of(simulation, 0).motion.linear, abut_vec3_make(0.25 * steps, 0, 0), 1e-14);
    }
    assert_vec3_near(state_of(simulation, 0).motion.angular, abut_vec3_make(0, 0, 0), 1e-14);
    finish(simulation, scene);
}

/* A force of no duration acts in one step; off the centre it turns the body: torque 1 m x 2 N about z on 8 / 6 kg m2. */
static void test_force_at_an_anchor(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation =
        start("{\"at\": 0, \"until\": 0, \"force\": {\"body\": \"a\", \"force\": [0, 2, 0], \"anchor\": [1, 0, 0]}}", &scene);
    step_to(simulation, 3);
    assert_vec3_near(state_of(simulation, 0).motion.linear, abut_vec3_make(0, 2.0 / 8.0 * 0.125, 0), 1e-14);
    assert_vec3_near(state_of(simulation, 0).motion.angular, abut_vec3_make(0, 0, 2.0 / (8.0 / 6.0) * 0.125), 1e-12);
    finish(simulation, scene);
}

static void test_velocities(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start("{\"at\": 0.125, \"velocity\": {\"body\": \"a\", \"velocity\": [1, 0, 0]}}, "
                                        "{\"at\": 0.25, \"velocity\": {\"body\": \"a\", \"angular_velocity\": [0, 0, 2]}}, "
                                        "{\"at\": 0.25, \"velocity\": {\"body\": \"k\", \"velocity\": [0, 0, 3]}}",
                                        &scene);
    step_to(simulation, 1);
    assert_vec3_near(state_of(simulation, 0).motion.linear, abut_vec3_make(0, 0, 0), 0.0);
    step_to(simulation, 4);
    assert_vec3_near(state_of(simulation, 0).motion.linear, abut_vec3_make(1, 0, 0), 1e-14);
    assert_vec3_near(state_of(simulation, 0).motion.angular, abut_vec3_make(0, 0, 2), 1e-13);
    assert_vec3_near(state_of(simulation, 0).pose.position, abut_vec3_make(3 * 0.125, 0, 0), 1e-14);
    assert_vec3_near(state_of(simulation, 2).pose.position, abut_vec3_make(20, 0.25, 0.75), 1e-14);
    assert_vec3_near(state_of(simulation, 2).motion.angular, abut_vec3_make(0, 0, 1), 0.0);
    finish(simulation, scene);
}

/* A stiff, critically damped spring carries the box to its moving target, then ends. */
static void test_spring_follows_its_target(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation =
        start("{\"at\": 0.25, \"until\": 1.25, \"spring\": {\"body\": \"a\", \"target\": [0, 0, 1], \"target_end\": [0, 0, 9], "
              "\"frequency\": 1000}}",
              &scene);
    step_to(simulation, 2);
    assert_vec3_near(state_of(simulation, 0).pose.position, abut_vec3_make(0, 0, 0), 0.0);
    for (int64_t step = 3; step <= 10; step++) {
        /* In the j-th of 8 steps the target is at 1 + j. */
        step_to(simulation, step);
        assert_near(state_of(simulation, 0).pose.position.z, 1.0 + (double)(step - 2), 0.05);
    }
    /* After the end of the spring the box keeps its velocity. */
    abut_body_state free = state_of(simulation, 0);
    step_to(simulation, 14);
    assert_vec3_near(state_of(simulation, 0).motion.linear, free.motion.linear, 1e-14);
    assert_near(state_of(simulation, 0).pose.position.z, free.pose.position.z + 0.5 * free.motion.linear.z, 1e-13);
    finish(simulation, scene);
}

/* The largest force limits the acceleration: 8 N on 8 kg. */
static void test_spring_of_limited_force(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation =
        start("{\"at\": 0, \"until\": 0.5, \"spring\": {\"body\": \"a\", \"target\": [100, 0, 0], \"max_force\": 8}}", &scene);
    step_to(simulation, 16);
    assert_vec3_near(state_of(simulation, 0).motion.linear, abut_vec3_make(0.5, 0, 0), 1e-12);
    finish(simulation, scene);
}

/* The removal of a body ends its spring and its force, also when they would last longer. */
static void test_removal_ends_what_acts_on_the_body(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation =
        start("{\"at\": 0, \"until\": 2, \"spring\": {\"body\": \"a\", \"target\": [0, 0, 1], \"target_end\": [0, 0, 2]}}, "
              "{\"at\": 0, \"until\": 2, \"force\": {\"body\": \"a\", \"force\": [0, 0, 1]}}, {\"at\": 0.5, \"remove\": \"a\"}",
              &scene);
    step_to(simulation, 4);
    abut_body_id id = abut_simulation_body_id(simulation, 0);
    abut_body_state found;
    assert_ok(abut_world_body_state(abut_simulation_world(simulation), id, &found));
    step_to(simulation, 16);
    assert_status(abut_world_body_state(abut_simulation_world(simulation), id, &found), ABUT_ERROR_STALE_ID);
    int32_t count = 0;
    abut_body_id left[2];
    assert_ok(abut_world_body_ids(abut_simulation_world(simulation), left, 2, &count));
    assert_int_equal(count, 2);
    finish(simulation, scene);
}

/* Lasting springs and forces are ended, and a later removal never happens. Restoring an earlier state brings all of them back. */
static void test_actions_left_out(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start("{\"at\": 0, \"until\": 2, \"spring\": {\"body\": \"a\", \"target\": [1, 0, 0], \"frequency\": 1}},"
                                        " {\"at\": 0, \"until\": 2, \"force\": {\"body\": \"b\", \"force\": [0, 8, 0]}},"
                                        " {\"at\": 1, \"remove\": \"b\"}",
                                        &scene);
    step_to(simulation, 4);
    unsigned char saved[8192];
    size_t size = 0;
    assert_ok(abut_simulation_save(simulation, saved, sizeof saved, &size));
    abut_simulation_leave_out_actions(simulation);
    abut_vec3 velocity_a = state_of(simulation, 0).motion.linear, velocity_b = state_of(simulation, 1).motion.linear;
    assert_true(velocity_a.x > 0.0 && velocity_b.y > 0.0);
    step_to(simulation, 12);
    assert_vec3_near(state_of(simulation, 0).motion.linear, velocity_a, 0.0);
    assert_vec3_near(state_of(simulation, 1).motion.linear, velocity_b, 0.0);

    assert_ok(abut_simulation_restore(simulation, saved, size));
    step_to(simulation, 7);
    assert_true(state_of(simulation, 1).motion.linear.y > velocity_b.y);
    step_to(simulation, 9);
    abut_body_state gone;
    assert_int_equal(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 1), &gone),
                     ABUT_ERROR_STALE_ID);
    finish(simulation, scene);
}

/* A removal by the caller is not a mistake of the scene. */
static void test_actions_on_a_body_that_a_caller_removed(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start("{\"at\": 1, \"spring\": {\"body\": \"b\", \"target\": [1, 0, 0]}, \"until\": 2},"
                                        " {\"at\": 1.25, \"velocity\": {\"body\": \"b\", \"velocity\": [0, 0, 1]}},"
                                        " {\"at\": 1.5, \"remove\": \"b\"}",
                                        &scene);
    assert_ok(abut_world_remove_body(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 1)));
    step_to(simulation, 16);
    assert_true(abut_simulation_finished(simulation));
    finish(simulation, scene);
}

static void test_same_scene_same_bits(void **state) {
    (void)state;
    const char *actions = "{\"at\": 0.25, \"until\": 1, \"spring\": {\"body\": \"a\", \"target\": [9.5, 0.1, 0.2], \"frequency\": 2}}";
    abut_scene *scenes[2];
    abut_simulation *simulations[2];
    for (int i = 0; i < 2; i++) {
        simulations[i] = start(actions, &scenes[i]);
        step_to(simulations[i], 16);
    }
    assert_int_equal(abut_world_hash(abut_simulation_world(simulations[0])), abut_world_hash(abut_simulation_world(simulations[1])));
    for (int i = 0; i < 2; i++) {
        finish(simulations[i], scenes[i]);
    }
}

/* A velocity that overflows in the next step is reported with its step. */
static void test_overflow_is_an_error(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start("{\"at\": 0.5, \"velocity\": {\"body\": \"a\", \"velocity\": [1.7e308, 0, 0]}}, "
                                        "{\"at\": 0.5, \"until\": 2, \"force\": {\"body\": \"a\", \"force\": [1.7e308, 1.7e308, 0]}}",
                                        &scene);
    abut_status status = ABUT_OK;
    abut_error error = {ABUT_OK, ""};
    for (int i = 0; i < 200 && status == ABUT_OK; i++) {
        status = abut_simulation_step(simulation, NULL, &error);
    }
    assert_status(status, ABUT_ERROR_NOT_FINITE);
    assert_true(abut_simulation_step_index(simulation) >= 4);
    char part[64];
    snprintf(part, sizeof part, ": step %lld at %g s: ", (long long)abut_simulation_step_index(simulation),
             abut_simulation_time(simulation));
    assert_non_null(strstr(error.message, part));
    finish(simulation, scene);
}

/* A body in the air is not at rest. A ball on the floor is, but only after all actions that may move it are done. */
static void test_rest_ends_a_scene(void **state) {
    (void)state;
    static const char format[] = "{\"abut_scene\": 1, \"duration\": 20, \"dt\": 0.01, \"stepper\": {\"kind\": \"dem\"}, %s \"bodies\": ["
                                 "{\"name\": \"floor\", \"kind\": \"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1]}}}, "
                                 "{\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 0.1}}, \"position\": [0, 0, 0.11]}], "
                                 "\"actions\": [{\"at\": 0, \"until\": %g, \"force\": {\"body\": \"ball\", \"force\": [0, 0, -1]}}]}";
    int64_t ended[3];
    const double until[] = {0.01, 1.0};
    for (int k = 0; k < 3; k++) {
        char text[1024];
        snprintf(text, sizeof text, format, k < 2 ? "\"until\": {}," : "", k < 2 ? until[k] : 0.01);
        abut_scene *scene = right_scene(text);
        abut_simulation *simulation = NULL;
        abut_error error;
        assert_ok(abut_simulation_create(scene, &simulation, &error));
        abut_step_report report = {0};
        while (!abut_simulation_finished(simulation)) {
            assert_false(abut_simulation_at_rest(simulation));
            assert_ok(abut_simulation_step(simulation, &report, &error));
        }
        assert_true(abut_simulation_at_rest(simulation) == (k < 2));
        assert_true(report.dem.residual <= 1e-3 && report.kinetic_energy <= 1e-4 * report.dem.elastic_energy);
        ended[k] = abut_simulation_step_index(simulation);
        finish(simulation, scene);
    }
    assert_in_range(ended[0], 5, 90);
    assert_in_range(ended[1], 100, 150);
    assert_int_equal(ended[2], 2000);
}

static void test_null_arguments(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start("", &scene), *other = NULL;
    assert_status(abut_simulation_create(NULL, &other, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_simulation_create(scene, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_simulation_step(NULL, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_null(other);
    abut_simulation_destroy(NULL);
    finish(simulation, scene);
}

static void check_first_report(const char *text, int64_t steps) {
    abut_scene *scene = right_scene(text);
    abut_simulation *whole = NULL, *resumed = NULL;
    abut_step_report last, first;
    static unsigned char saved[1 << 16];
    size_t size = 0;
    assert_ok(abut_simulation_create(scene, &whole, NULL));
    for (int64_t i = 0; i < steps; i++) {
        assert_ok(abut_simulation_step(whole, &last, NULL));
    }
    assert_ok(abut_simulation_save(whole, saved, sizeof saved, &size));
    assert_ok(abut_simulation_create(scene, &resumed, NULL));
    assert_ok(abut_simulation_restore(resumed, saved, size));
    assert_ok(abut_simulation_first_report(resumed, &first));
    assert_true(last.spring_energy > 0.0 || (last.dem.elastic_energy > 0.0 && last.dem.spring_energy > 0.0));
    assert_int_equal(first.step, steps);
    assert_int_equal(first.contacts, last.contacts);
    assert_near(first.time, last.time, 0.0);
    assert_near(first.kinetic_energy, last.kinetic_energy, 0.0);
    assert_near(first.potential_energy, last.potential_energy, 0.0);
    assert_near(first.spring_energy, last.spring_energy, 0.0);
    assert_near(first.dem.elastic_energy, last.dem.elastic_energy, 1e-12 * last.dem.elastic_energy);
    assert_near(first.dem.spring_energy, last.dem.spring_energy, 1e-12 * last.dem.spring_energy);
    abut_simulation_destroy(whole);
    finish(resumed, scene);
}

/* The energies at the start of a resumed run are those that the uninterrupted run had at that step, also in springs and in contacts. */
static void test_the_first_report_of_a_restored_state(void **state) {
    (void)state;
    check_first_report(
        "{\"abut_scene\": 1, \"duration\": 2, \"dt\": 0.125, \"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"a\", \"shape\":"
        " {\"box\": {\"half\": [0.5, 0.5, 0.5]}}}], \"actions\": [{\"at\": 0, \"until\": 2, \"spring\": {\"body\": \"a\","
        " \"target\": [1, 0, 0], \"frequency\": 1}}]}",
        3);
    check_first_report(
        "{\"abut_scene\": 1, \"duration\": 2, \"dt\": 0.001, \"stepper\": {\"kind\": \"dem\"}, \"bodies\": [{\"name\": \"floor\","
        " \"kind\": \"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1]}}}, {\"name\": \"ball\", \"shape\": {\"sphere\":"
        " {\"radius\": 0.1}}, \"position\": [0, 0, 0.0999], \"velocity\": [0.01, 0, 0]}]}",
        2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_beginning_and_end),
        cmocka_unit_test(test_pairs_and_surfaces),
        cmocka_unit_test(test_force_acts_in_its_steps_and_no_others),
        cmocka_unit_test(test_force_at_an_anchor),
        cmocka_unit_test(test_velocities),
        cmocka_unit_test(test_spring_follows_its_target),
        cmocka_unit_test(test_spring_of_limited_force),
        cmocka_unit_test(test_removal_ends_what_acts_on_the_body),
        cmocka_unit_test(test_actions_left_out),
        cmocka_unit_test(test_actions_on_a_body_that_a_caller_removed),
        cmocka_unit_test(test_the_first_report_of_a_restored_state),
        cmocka_unit_test(test_same_scene_same_bits),
        cmocka_unit_test(test_overflow_is_an_error),
        cmocka_unit_test(test_rest_ends_a_scene),
        cmocka_unit_test(test_null_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
