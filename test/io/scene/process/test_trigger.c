/* Actions that wait for rest, or for a time series. */
#include "support/simulation.h"

#include <math.h>

static abut_body_state state_of(const abut_simulation *simulation, int32_t body) {
    abut_body_state state;
    assert_ok(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, body), &state));
    return state;
}

/* A ball flies through a plane; this lets a force begin on another one, and ends a third one's rise. No forces but these act. */
#define FLIGHT(actions)                                                                                                                  \
    "{\"abut_scene\": 1, \"dt\": 0.01, \"duration\": 1, \"gravity\": [0, 0, 0], \"stepper\": {\"kind\": \"dem\"}, \"bodies\": ["         \
    "{\"name\": \"flies\", \"shape\": {\"sphere\": {\"radius\": 0.1}}, \"mass\": 3, \"velocity\": [1, 0, 0], \"position\": [-0.205, 0, " \
    "0]}, "                                                                                                                              \
    "{\"name\": \"pushed\", \"shape\": {\"sphere\": {\"radius\": 0.1}}, \"mass\": 2, \"position\": [0, 5, 0]}, "                         \
    "{\"name\": \"lift\", \"kind\": \"kinematic\", \"shape\": {\"sphere\": {\"radius\": 0.1}}, \"velocity\": [0, 0, 1], \"position\": "  \
    "[0, 9, 0]}], "                                                                                                                      \
    "\"measures\": [{\"name\": \"p\", \"flow_through\": {\"normal\": [1, 0, 0]}}], \"actions\": [" actions "]}"

/* The ball is beyond the plane after 21 steps, so what waits for it happens in step 21, counted from 0. */
static void test_a_series(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start_simulation(
        FLIGHT("{\"when\": {\"series\": \"p.mass\", \"above\": 3}, \"for\": 0.1, \"force\": {\"body\": \"pushed\", \"force\": [0, 8, 0]}}, "
               "{\"at\": 0.05, \"velocity\": {\"body\": \"lift\", \"velocity\": [0, 0, 2]}}, "
               "{\"when\": {\"series\": \"p.count\", \"above\": 0.5, \"after\": 0.3}, \"velocity\": {\"body\": \"lift\", \"velocity\": [0, "
               "0, 0]}}, "
               "{\"when\": {\"series\": \"p.mass_rate\", \"below\": -1}, \"remove\": \"pushed\"}"),
        &scene);
    assert_int_equal(abut_scene_action_count(scene), 4);
    assert_int_equal(abut_scene_get_action(scene, 0)->kind, ABUT_ACTION_VELOCITY); /* those with times come first */
    assert_int_equal(abut_scene_get_action(scene, 1)->when.kind, ABUT_TRIGGER_ABOVE);
    assert_int_equal(abut_scene_get_action(scene, 1)->lasts, 10);
    for (int k = 0; k < 60; k++) {
        step_simulation(simulation);
        int pushed = k < 21 ? 0 : k < 30 ? k - 20 : 10;
        assert_near(state_of(simulation, 1).motion.linear.y, 4.0 * 0.01 * pushed, 1e-12);
        /* After 0.3 s: the condition is met after the step that ends there, which is step 29. */
        assert_near(state_of(simulation, 2).motion.linear.z, k < 5 ? 1.0 : k < 30 ? 2.0 : 0.0, 0.0);
    }
    assert_false(abut_simulation_finished(simulation));
    finish_simulation(simulation, scene);
}

/* A condition that holds at the beginning acts in the first step; nothing rests at the beginning. */
static void test_the_beginning(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start_simulation(
        FLIGHT("{\"when\": {\"series\": \"p.count\", \"below\": 0}, \"velocity\": {\"body\": \"pushed\", \"velocity\": [0, 1, 0]}}"),
        &scene);
    step_simulation(simulation);
    assert_near(state_of(simulation, 1).motion.linear.y, 1.0, 0.0);
    step_simulation(simulation);
    finish_simulation(simulation, scene);
    simulation = start_simulation(
        FLIGHT("{\"when\": {\"series\": \"p.count\", \"below\": 0}, \"velocity\": {\"body\": \"pushed\", \"velocity\": [0, 1, 0]}}"),
        &scene);
    abut_simulation_leave_out_actions(simulation);
    step_simulation(simulation);
    assert_near(state_of(simulation, 1).motion.linear.y, 0.0, 0.0);
    finish_simulation(simulation, scene);
}

static void test_stop(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start_simulation(FLIGHT("{\"when\": {\"series\": \"p.mass\", \"above\": 3}, \"stop\": true}"), &scene);
    int steps = 0;
    while (!abut_simulation_finished(simulation)) {
        step_simulation(simulation);
        steps++;
    }
    assert_int_equal(steps, 21);
    assert_true(abut_simulation_stopped(simulation) && !abut_simulation_at_rest(simulation));
    finish_simulation(simulation, scene);
}

/* Balls at rest on a gate: it goes once they rest, they fall, and the scene ends when they rest again. */
static const char gate[] =
    "{\"abut_scene\": 1, \"dt\": 0.005, \"duration\": 4, \"stepper\": {\"kind\": \"dem\", \"step_share\": 0.3}, \"materials\": {\"m\": "
    "{\"young\": 1e6, \"restitution\": 0.1}}, \"until\": {\"residual\": 0.01, \"kinetic\": 1e-3}, \"bodies\": ["
    "{\"name\": \"floor\", \"kind\": \"static\", \"material\": \"m\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1]}}}, "
    "{\"name\": \"gate\", \"kind\": \"static\", \"material\": \"m\", \"shape\": {\"box\": {\"half\": [0.1, 0.1, 0.01]}}, \"position\": [0, "
    "0, "
    "0.2]}, {\"name\": \"a\", \"material\": \"m\", \"shape\": {\"sphere\": {\"radius\": 0.02}}, \"position\": [0, 0, 0.24]}, "
    "{\"name\": \"b\", \"material\": \"m\", \"shape\": {\"sphere\": {\"radius\": 0.02}}, \"position\": [0.05, 0, 0.25]}], \"actions\": ["
    "{\"when\": {\"rest\": {\"residual\": 0.01, \"kinetic\": 1e-3}}, \"remove\": \"gate\"}]}";

static void test_rest_opens_a_gate(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start_simulation(gate, &scene);
    bool rested = false;
    int open = -1;
    while (!abut_simulation_finished(simulation)) {
        abut_step_report report = step_simulation(simulation);
        bool there = report.bodies == 4;
        assert_true(there || rested); /* not before the step after the first one that ends at rest */
        if (!there && open < 0) {
            open = (int)report.step;
        }
        rested = rested ||
                 (report.dem.residual <= 0.01 && report.kinetic_energy <= 1e-3 * (report.dem.elastic_energy + report.dem.spring_energy));
        assert_true(!rested || !there || open < 0);
    }
    assert_true(abut_simulation_at_rest(simulation));
    assert_true(open > 20);
    assert_near(state_of(simulation, 2).centre.z, 0.02, 1e-3);
    assert_near(state_of(simulation, 3).centre.z, 0.02, 1e-3);
    finish_simulation(simulation, scene);
}

/* States before, at and after triggers, and while a force lasts. */
static void test_a_saved_state_goes_on(void **state) {
    (void)state;
    static const char *const texts[] = {
        gate,
        FLIGHT("{\"when\": {\"series\": \"p.mass\", \"above\": 3}, \"for\": 0.1, \"force\": {\"body\": \"pushed\", \"force\": [0, 8, 0]}}, "
               "{\"at\": 0.1, \"until\": 0.4, \"force\": {\"body\": \"pushed\", \"force\": [1, 0, 0]}}, "
               "{\"when\": {\"series\": \"p.count\", \"above\": 1, \"after\": 0.35}, \"stop\": true}")};
    for (int t = 0; t < 2; t++) {
        abut_scene *scene;
        abut_simulation *whole = start_simulation(texts[t], &scene), *resumed = NULL;
        while (!abut_simulation_finished(whole)) {
            size_t size = 0;
            assert_status(abut_simulation_save(whole, NULL, 0, &size), ABUT_ERROR_CAPACITY);
            void *saved = malloc(size);
            assert_ok(abut_simulation_save(whole, saved, size, &size));
            assert_ok(abut_simulation_create(scene, &resumed, NULL));
            assert_ok(abut_simulation_restore(resumed, saved, size));
            for (int k = 0; k < 3 && !abut_simulation_finished(whole); k++) {
                step_simulation(whole);
                step_simulation(resumed);
                assert_true(abut_world_hash(abut_simulation_world(whole)) == abut_world_hash(abut_simulation_world(resumed)));
                assert_int_equal(abut_simulation_finished(whole), abut_simulation_finished(resumed));
                assert_int_equal(abut_simulation_stopped(whole), abut_simulation_stopped(resumed));
            }
            abut_simulation_destroy(resumed);
            free(saved);
        }
        assert_int_equal(abut_simulation_stopped(whole), t == 1);
        finish_simulation(whole, scene);
    }
}

/* FNV-1a */
static uint64_t sum_of(const unsigned char *bytes, size_t size) {
    uint64_t sum = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < size; i++) {
        sum = (sum ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return sum;
}

static void put(unsigned char *at, uint64_t bits) {
    for (int i = 0; i < 8; i++) {
        at[i] = (unsigned char)(bits >> 8 * i & 0xff);
    }
}

/* Where the checksum of a saved state lies: after the bytes that it sums up. */
static size_t sum_in(const unsigned char *saved, size_t size) {
    for (size_t i = 0; i + 8 <= size; i++) {
        unsigned char sum[8];
        put(sum, sum_of(saved, i));
        if (memcmp(sum, saved + i, 8) == 0) {
            return i;
        }
    }
    fail_msg("no checksum");
    return 0;
}

/* A state with a right checksum, but a step so large that sums with it would overflow. */
static void test_a_step_that_is_too_large(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start_simulation(gate, &scene);
    size_t size = 0;
    assert_status(abut_simulation_save(simulation, NULL, 0, &size), ABUT_ERROR_CAPACITY);
    unsigned char *saved = malloc(size);
    assert_ok(abut_simulation_save(simulation, saved, size, &size));
    size_t sum = sum_in(saved, size);
    const struct {
        uint64_t step;
        abut_status status;
    } cases[] = {{UINT64_MAX, ABUT_ERROR_FORMAT},
                 {INT64_MAX, ABUT_ERROR_FORMAT},
                 {INT64_MAX / 4 + 1, ABUT_ERROR_FORMAT},
                 {INT64_MAX / 4, ABUT_OK},
                 {7, ABUT_OK}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(saved + 12, cases[i].step);
        put(saved + sum, sum_of(saved, sum));
        assert_status(abut_simulation_restore(simulation, saved, size), cases[i].status);
    }
    assert_int_equal(abut_simulation_step_index(simulation), 7);
    free(saved);
    finish_simulation(simulation, scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_series),
        cmocka_unit_test(test_the_beginning),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_rest_opens_a_gate),
        cmocka_unit_test(test_a_saved_state_goes_on),
        cmocka_unit_test(test_a_step_that_is_too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
