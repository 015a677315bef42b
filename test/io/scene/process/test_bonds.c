/* The action "bond": which balls it bonds, when, and that a saved state goes on with its bonds. */
#include "support/simulation.h"

#include <stdlib.h>

#include <abut/bond.h>

/* Three balls of one element that nearly touch, and a fourth one beside them, which is removed or bonded. They fall onto a floor. */
#define LUMP(actions)                                                                                       \
    "{\"abut_scene\": 1, \"dt\": 0.002, \"duration\": 0.2, \"stepper\": {\"kind\": \"dem\"}, \"bodies\": [" \
    "{\"name\": \"floor\", \"kind\": \"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1]}}}, "        \
    "{\"name\": \"row\", \"shape\": {\"sphere\": {\"radius\": 0.01}}, \"position\": [0, 0, 0.02]}, "        \
    "{\"name\": \"b\", \"shape\": {\"sphere\": {\"radius\": 0.01}}, \"position\": [0.0201, 0, 0.03]}, "     \
    "{\"name\": \"c\", \"shape\": {\"sphere\": {\"radius\": 0.01}}, \"position\": [0.0402, 0, 0.03]}, "     \
    "{\"name\": \"d\", \"shape\": {\"sphere\": {\"radius\": 0.01}}, \"position\": [0.0603, 0, 0.03]}], \"actions\": [" actions "]}"

static void test_which_and_when(void **state) {
    (void)state;
    static const struct {
        const char *text;
        int32_t first, later; /* bonds after the first step, and after step 20 */
    } cases[] = {
        {LUMP("{\"at\": 0, \"bond\": {\"young\": 1e7, \"gap\": 2e-4}}"), 2, 2},
        {LUMP("{\"at\": 0, \"bond\": {\"young\": 1e7, \"gap\": 5e-5}}"), 0, 0},
        {LUMP("{\"at\": 0, \"bond\": {\"young\": 1e7, \"gap\": 4e-3}}"), 3, 3},
        {LUMP("{\"at\": 0, \"bond\": {\"young\": 1e7, \"gap\": 2e-4, \"bodies\": \"b\"}}"), 0, 0},
        {LUMP("{\"at\": 0.02, \"bond\": {\"young\": 1e7, \"gap\": 2e-4}}"), 0, 2},
        {LUMP("{\"at\": 0, \"remove\": \"c\"}, {\"at\": 0, \"bond\": {\"young\": 1e7, \"gap\": 2e-4}}"), 0, 0},
        {LUMP("{\"at\": 0, \"bond\": {\"young\": 1e7, \"gap\": 2e-4}}, {\"at\": 0.02, \"remove\": \"d\"}"), 2, 1},
        {LUMP("{\"at\": 0, \"bond\": {\"young\": 1e7, \"gap\": 2e-4}}, {\"at\": 0.01, \"bond\": {\"young\": 1e7, \"gap\": 4e-3}}"), 2, 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        abut_scene *scene;
        abut_simulation *simulation = start_simulation(cases[i].text, &scene);
        abut_step_report report = step_simulation(simulation);
        assert_int_equal(report.dem.bonds, cases[i].first);
        for (int k = 1; k < 20; k++) {
            report = step_simulation(simulation);
        }
        assert_int_equal(report.dem.bonds, cases[i].later);
        abut_simulation_destroy(simulation);
        abut_scene_destroy(scene);
    }
}

static void test_a_saved_state_goes_on(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *whole = start_simulation(
        LUMP("{\"at\": 0, \"bond\": {\"young\": 1e7, \"gap\": 4e-3, \"tensile_strength\": 5e3, \"shear_strength\": 5e3}}"), &scene);
    int32_t broken = 0;
    for (int i = 0; i < 60; i++) {
        broken += step_simulation(whole).dem.broken;
        if (i % 20 != 10) {
            continue;
        }
        abut_simulation *resumed = NULL;
        size_t size = 0;
        assert_status(abut_simulation_save(whole, NULL, 0, &size), ABUT_ERROR_CAPACITY);
        void *saved = malloc(size);
        assert_non_null(saved);
        assert_ok(abut_simulation_save(whole, saved, size, &size));
        assert_ok(abut_simulation_create(scene, &resumed, NULL));
        assert_ok(abut_simulation_restore(resumed, saved, size));
        for (int k = 0; k < 5; k++, i++) {
            abut_step_report a = step_simulation(whole), b = step_simulation(resumed);
            broken += a.dem.broken;
            assert_int_equal(a.dem.bonds, b.dem.bonds);
            assert_int_equal(a.dem.broken, b.dem.broken);
            assert_true(abut_world_hash(abut_simulation_world(whole)) == abut_world_hash(abut_simulation_world(resumed)));
        }
        abut_simulation_destroy(resumed);
        free(saved);
    }
    assert_true(broken > 0);
    abut_simulation_destroy(whole);
    abut_scene_destroy(scene);
}

/* A stiffness that overflows ends the run with a message. */
static void test_overflow(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation =
        start_simulation(LUMP("{\"at\": 0, \"bond\": {\"young\": 1e300, \"gap\": 4e-3, \"radius_share\": 1e100}}"), &scene);
    abut_error error = {ABUT_OK, ""};
    assert_status(abut_simulation_step(simulation, NULL, &error), ABUT_ERROR_NOT_FINITE);
    assert_non_null(strstr(error.message, "action at 0 s: "));
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_and_when),
        cmocka_unit_test(test_a_saved_state_goes_on),
        cmocka_unit_test(test_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
