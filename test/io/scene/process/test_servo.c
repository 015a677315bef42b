/* Servo walls: they come to rest where what they touch presses with the force that was asked for. */
#include "support/simulation.h"

#include <math.h>

/* A ball between the floor and a plane that a servo presses down. */
static void make_scene(char *text, size_t size, double young, double force, double speed) {
    snprintf(
        text, size,
        "{\"abut_scene\": 1, \"dt\": 0.002, \"duration\": 10, \"gravity\": [0, 0, 0], \"stepper\": {\"kind\": \"dem\", \"step_share\": "
        "0.3}, "
        "\"materials\": {\"m\": {\"young\": %g, \"poisson\": 0.25, \"restitution\": 0.1}}, \"bodies\": [{\"name\": \"floor\", \"kind\": "
        "\"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1]}}, \"material\": \"m\"}, {\"name\": \"ball\", \"shape\": {\"sphere\": "
        "{\"radius\": 0.05}}, \"position\": [0, 0, 0.05], \"material\": \"m\"}, {\"name\": \"lid\", \"kind\": \"kinematic\", \"shape\": "
        "{\"plane\": {\"normal\": [0, 0, -1]}}, \"position\": [0, 0, 0.101], \"material\": \"m\", \"servo\": {\"axis\": [0, 0, -2], "
        "\"force\": %g, \"max_speed\": %g}}]}",
        young, force, speed);
}

/* Hertz: two equal contacts of overlap d each, F = 4/3 E* sqrt(R) d^1.5, E* = E / (2 (1 - nu^2)). Bodies from soft to stiff, and slow and fast lids. */
static void test_the_lid_presses_as_hard_as_it_should(void **state) {
    (void)state;
    const struct {
        double young, force, speed;
    } cases[] = {{1e6, 5.0, 0.05}, {1e6, 5.0, 2.0}, {1e8, 50.0, 0.05}, {1e8, 50.0, 1.0}, {1e5, 0.2, 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048];
        abut_scene *scene;
        make_scene(text, sizeof text, cases[i].young, cases[i].force, cases[i].speed);
        abut_simulation *simulation = start_simulation(text, &scene);
        assert_true(series_of(simulation, "lid.force") == 0.0 && series_of(simulation, "lid.travel") == 0.0);
        double before = 0.0;
        for (int k = 0; k < 1500; k++) {
            step_simulation_by(simulation, 1);
            double travel = series_of(simulation, "lid.travel");
            assert_true(fabs(travel - before) <= cases[i].speed * 0.002 * (1.0 + 1e-9));
            before = travel;
        }
        double modulus = cases[i].young / (2.0 * (1.0 - 0.0625));
        double overlap = pow(cases[i].force / (4.0 / 3.0 * modulus * sqrt(0.05)), 2.0 / 3.0);
        assert_near(series_of(simulation, "lid.force"), cases[i].force, 1e-3 * cases[i].force);
        assert_near(before, 0.001 + 2.0 * overlap, 2e-3 * overlap);
        abut_simulation_destroy(simulation);
        abut_scene_destroy(scene);
    }
}

/* On a body that is too stiff for the step the lid passes the force again and again. Its speed stays at least a millionth of the largest one. */
static void test_the_limit_does_not_vanish(void **state) {
    (void)state;
    char text[2048];
    abut_scene *scene;
    make_scene(text, sizeof text, 1e12, 0.01, 1.0);
    abut_simulation *simulation = start_simulation(text, &scene);
    double least = 1.0;
    for (int k = 0; k < 200; k++) {
        step_simulation_by(simulation, 1);
        least = fmin(least, series_of(simulation, "lid.speed_limit"));
    }
    assert_true(least == 1e-6);
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

static void test_a_saved_state_goes_on(void **state) {
    (void)state;
    char text[2048];
    abut_scene *scene;
    make_scene(text, sizeof text, 1e6, 5.0, 2.0);
    abut_simulation *whole = start_simulation(text, &scene), *resumed = NULL;
    for (int at = 0; at < 60; at += 7) {
        size_t size = 0;
        assert_status(abut_simulation_save(whole, NULL, 0, &size), ABUT_ERROR_CAPACITY);
        void *saved = malloc(size);
        assert_ok(abut_simulation_save(whole, saved, size, &size));
        assert_ok(abut_simulation_create(scene, &resumed, NULL));
        assert_ok(abut_simulation_restore(resumed, saved, size));
        step_simulation_by(whole, 7);
        step_simulation_by(resumed, 7);
        assert_true(abut_world_hash(abut_simulation_world(whole)) == abut_world_hash(abut_simulation_world(resumed)));
        assert_true(series_of(whole, "lid.speed_limit") == series_of(resumed, "lid.speed_limit"));
        abut_simulation_destroy(resumed);
        free(saved);
    }
    assert_true(series_of(whole, "lid.speed_limit") < 2.0);
    abut_simulation_destroy(whole);
    abut_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_the_lid_presses_as_hard_as_it_should),
                                       cmocka_unit_test(test_the_limit_does_not_vanish), cmocka_unit_test(test_a_saved_state_goes_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
