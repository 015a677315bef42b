/* Outlets and measures against closed forms; the same in a run that goes on from a saved state, and for any number of threads. */
#include "support/simulation.h"

#include <math.h>

#define HEAD(stepper) "{\"abut_scene\": 1, \"dt\": 0.01, \"duration\": 2, \"stepper\": {\"kind\": \"" stepper "\"}, "

static bool is_there(const abut_simulation *simulation, int32_t body) {
    abut_body_state state;
    return abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, body), &state) == ABUT_OK;
}

/* ---- outlets ---- */

/* Balls that move at constant speed: the first is at the plane x = 1 at 0.305 s, so it goes with the step that begins at 0.31 s. */
static void test_outlets_take_away_and_count(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start_simulation(
        HEAD("dem") "\"gravity\": [0, 0, 0], \"bodies\": ["
                    "{\"name\": \"a\", \"shape\": {\"sphere\": {\"radius\": 0.1}}, \"mass\": 2, \"position\": [0.695, 0, 0], \"velocity\": "
                    "[1, 0, 0]}, "
                    "{\"name\": \"b\", \"shape\": {\"sphere\": {\"radius\": 0.1}}, \"mass\": 3, \"position\": [0.695, 1, 0], \"velocity\": "
                    "[2, 0, 0]}, "
                    "{\"name\": \"c\", \"shape\": {\"sphere\": {\"radius\": 0.1}}, \"mass\": 5, \"position\": [0, 2, 0], \"velocity\": [0, "
                    "1, 0]}, "
                    "{\"name\": \"d\", \"kind\": \"kinematic\", \"shape\": {\"sphere\": {\"radius\": 0.1}}, \"position\": [2, 3, 0]}, "
                    "{\"name\": \"e\", \"shape\": {\"sphere\": {\"radius\": 0.1}}, \"mass\": 7, \"position\": [0, 5, 0]}], "
                    "\"outlets\": [{\"name\": \"half\", \"half_space\": {\"normal\": [-2, 0, 0], \"offset\": -1}}, "
                    "{\"name\": \"box\", \"lower\": [-1, 2.5, -1], \"upper\": [1, 3, 1]}]}",
        &scene);
    const struct {
        double from;
        int body;
    } gone[] = {{0.31, 0}, {0.16, 1}, {0.5, 2}, {INFINITY, 3}, {INFINITY, 4}};
    for (int k = 0; k < 60; k++) {
        step_simulation_by(simulation, 1);
        for (int i = 0; i < 5; i++) {
            assert_int_equal(is_there(simulation, gone[i].body), 0.01 * k < gone[i].from - 1e-9);
        }
        double half = (0.01 * k > 0.31 - 1e-9) + (0.01 * k > 0.16 - 1e-9), box = 0.01 * k > 0.5 - 1e-9;
        assert_true(series_of(simulation, "half.count") == half && series_of(simulation, "box.count") == box);
        assert_true(series_of(simulation, "half.mass") == (half > 1 ? 5.0 : 3.0 * half) && series_of(simulation, "box.mass") == 5.0 * box);
        abut_outlet_state found;
        assert_ok(abut_simulation_outlet(simulation, 0, &found));
        assert_true((double)found.count == half && found.mass == series_of(simulation, "half.mass"));
    }
    assert_string_equal(abut_scene_outlet_name(scene, 1), "box");
    assert_int_equal(abut_scene_outlet_count(scene), 2);
    assert_null(abut_scene_outlet_name(scene, 2));
    assert_status(abut_simulation_outlet(simulation, 2, &(abut_outlet_state){0}), ABUT_ERROR_INVALID_ARGUMENT);
    finish_simulation(simulation, scene);
}

/* ---- measures ---- */

/* A ball that flies through a plane and back: the flow is its mass over the step, and its sign that of the passage. */
static void test_flow(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start_simulation(
        HEAD("fixed") "\"gravity\": [0, 0, -10], \"bodies\": [{\"name\": \"b\", \"shape\": {\"sphere\": {\"radius\": 0.1}}, \"mass\": 2, "
                      "\"position\": [0, 0, 1], \"velocity\": [0, 0, 5]}], \"measures\": [{\"name\": \"p\", \"flow_through\": {\"normal\": "
                      "[0, "
                      "0, -3], \"offset\": -2}}]}",
        &scene);
    double sum = 0.0;
    int passages = 0;
    assert_true(series_of(simulation, "p.count") == 0.0 && series_of(simulation, "p.mass_rate") == 0.0);
    for (int k = 0; k < 100; k++) {
        abut_body_state before, after;
        (void)abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 0), &before);
        step_simulation_by(simulation, 1);
        (void)abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 0), &after);
        double passed = (double)(after.centre.z < 2.0) - (double)(before.centre.z < 2.0);
        sum += passed;
        passages += passed != 0.0;
        assert_true(series_of(simulation, "p.count") == sum && series_of(simulation, "p.mass") == 2.0 * sum);
        assert_near(series_of(simulation, "p.mass_rate"), 2.0 * passed / 0.01, 1e-12);
    }
    assert_int_equal(passages, 2);
    assert_true(sum == 0.0);
    finish_simulation(simulation, scene);
}

/* A cube at rest on two plates presses on them with its weight. Its centre is at x = 0.3 above plates that share it. */
static void test_force(void **state) {
    (void)state;
    static const char *const steppers[] = {HEAD("fixed"), HEAD("dem")};
    for (int i = 0; i < 2; i++) {
        char text[2048];
        snprintf(
            text, sizeof text,
            "%s\"bodies\": [{\"name\": \"left\", \"kind\": \"static\", \"shape\": {\"box\": {\"half\": [1, 1, 0.1]}}, \"position\": [-1, "
            "0, -0.1]}, {\"name\": \"right\", \"kind\": \"static\", \"shape\": {\"box\": {\"half\": [1, 1, 0.1]}}, \"position\": [1, 0, "
            "-0.1]}, {\"name\": \"cube\", \"shape\": {\"box\": {\"half\": [0.5, 0.5, 0.5]}}, \"position\": [0.3, 0, 0.499], \"mass\": "
            "100}], \"measures\": [{\"name\": \"both\", \"force_on\": [\"left\", \"right\"], \"about\": [0, 0, 0]}, {\"name\": \"right\", "
            "\"force_on\": \"right\"}, {\"name\": \"cube\", \"force_on\": \"cube\", \"about\": [0.3, 0, 0.5]}, {\"name\": \"all\", "
            "\"force_on\": [\"cube\", \"left\", \"right\"]}]}",
            steppers[i]);
        abut_scene *scene;
        abut_simulation *simulation = start_simulation(text, &scene);
        assert_true(series_of(simulation, "both.force_z") == 0.0);
        step_simulation_by(simulation, 200);
        double weight = 981.0, allowed = 1e-3 * weight;
        assert_near(series_of(simulation, "both.force_z"), -weight, allowed);
        assert_near(series_of(simulation, "both.force_x"), 0.0, allowed);
        assert_near(series_of(simulation, "both.torque_y"), 0.3 * weight, allowed);
        assert_near(series_of(simulation, "both.torque_x"), 0.0, allowed);
        assert_near(series_of(simulation, "cube.force_z"), weight, allowed);
        assert_near(series_of(simulation, "cube.torque_y"), 0.0, allowed);
        /* The right plate lies under x = 0 to 0.8, the left one under -0.2 to 0. */
        double right = series_of(simulation, "right.force_z");
        assert_true(right < -0.3 / 0.8 * weight + allowed && right > -weight - allowed);
        assert_true(series_of(simulation, "right.torque_y") < 0.0); /* about its middle, x = 1 */
        assert_true(series_of(simulation, "all.force_z") == 0.0 && series_of(simulation, "all.torque_y") == 0.0);
        finish_simulation(simulation, scene);
    }
}

static void test_averages(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start_simulation(
        HEAD(
            "dem") "\"gravity\": [0, 0, 0], \"bodies\": [{\"name\": \"a\", \"shape\": {\"sphere\": {\"radius\": 0.1}}, \"mass\": 2, "
                   "\"position\": [0.5, 0.5, 0.5], \"velocity\": [1, 0, 0], \"angular_velocity\": [0, 0, 10]}, {\"name\": \"b\", "
                   "\"shape\": "
                   "{\"box\": {\"half\": [0.1, 0.2, 0.3]}}, \"mass\": 6, \"position\": [1.5, 0.5, 0.5], \"velocity\": [0, 2, 0], "
                   "\"angular_velocity\": [4, 0, 0], \"rotation\": {\"axis\": [0, 0, 1], \"degrees\": 90}}, {\"name\": \"c\", \"shape\": "
                   "{\"sphere\": {\"radius\": 0.1}}, \"position\": [3.5, 0.5, 0.5]}, {\"name\": \"w\", \"kind\": \"static\", \"shape\": "
                   "{\"sphere\": {\"radius\": 0.1}}, \"position\": [0.5, 0.8, 0.8]}], \"measures\": [{\"name\": \"r\", \"average_in\": "
                   "{\"lower\": [0, 0, 0], \"upper\": [2, 2, 1]}}, {\"name\": \"empty\", \"average_in\": {\"lower\": [9, 0, 0], \"upper\": "
                   "[10, 2, 1]}}]}",
        &scene);
    for (int k = 0; k < 2; k++) {
        double tolerance = 1e-9; /* no forces act */
        assert_true(series_of(simulation, "r.count") == 2.0);
        assert_near(series_of(simulation, "r.mass"), 8.0, tolerance);
        assert_near(series_of(simulation, "r.solid_fraction"), (4.0 / 3.0 * PI * 1e-3 + 0.048) / 4.0, tolerance);
        assert_near(series_of(simulation, "r.velocity_x"), 0.25, tolerance);
        assert_near(series_of(simulation, "r.velocity_y"), 1.5, tolerance);
        assert_near(series_of(simulation, "r.velocity_z"), 0.0, tolerance);
        /* The body spins about its own y axis, whose moment is 6 (0.1^2 + 0.3^2) / 3. */
        assert_near(series_of(simulation, "r.kinetic_energy"), 1.0 + 0.5 * 0.4 * 2.0 * 0.01 * 100.0 + 12.0 + 0.5 * 0.2 * 16.0, tolerance);
        assert_true(series_of(simulation, "empty.count") == 0.0 && series_of(simulation, "empty.velocity_x") == 0.0);
        step_simulation_by(simulation, 1);
    }
    finish_simulation(simulation, scene);
}

/* ---- periodic space ---- */

#define PERIODIC                                                                                                                         \
    "{\"abut_scene\": 1, \"dt\": 0.01, \"duration\": 2, \"gravity\": [0, 0, 0], \"stepper\": {\"kind\": \"dem\", \"periodic\": {\"x\": " \
    "[-1, 1]}}, "
#define BALL(name, y, speed)                                                                                      \
    "{\"name\": \"" name "\", \"shape\": {\"sphere\": {\"radius\": 0.05}}, \"mass\": 2, \"position\": [0.003, " y \
    ", 0], \"velocity\": [" speed ", 0, 0]}"
#define PLANE(name, normal, offset) "{\"name\": \"" name "\", \"flow_through\": {\"normal\": [" normal "], \"offset\": " offset "}}"
#define ROOM(name, lower, upper) "{\"name\": \"" name "\", \"average_in\": {\"lower\": [" lower ", -1, -1], \"upper\": [" upper ", 1, 1]}}"

/* The image of x from `from` on, in a period of 2. */
static double image(double x, double from) { return x - 2.0 * floor((x - from) / 2.0); }

/* A ball flies round twice, forwards and back. It passes each plane twice, also one on the border, and is in averages where its image is. */
static void test_balls_that_fly_round_are_measured(void **state) {
    (void)state;
    static const char *const speeds[] = {BALL("a", "0", "4"), BALL("a", "0", "-4")};
    for (int i = 0; i < 2; i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 PERIODIC
                 "\"bodies\": [%s], \"measures\": [" PLANE("inner", "1, 0, 0", "0.3") ", " PLANE("back", "-3, 0, 0", "-0.3") ", " PLANE(
                     "lower", "1, 0, 0",
                     "-1") ", " PLANE("upper", "1, 0, 0",
                                      "1") ", " PLANE("slant", "1, 0, 1",
                                                      "0.3") ", " PLANE("across", "0, 1, 0",
                                                                        "0.3") ", " ROOM("all", "-1",
                                                                                         "1") ", " ROOM("part", "0.2",
                                                                                                        "0.7") ", " ROOM("border", "0.8",
                                                                                                                         "1.3") "]}",
                 speeds[i]);
        abut_scene *scene;
        abut_simulation *simulation = start_simulation(text, &scene);
        double speed = i == 0 ? 4.0 : -4.0;
        for (int k = 1; k <= 100; k++) {
            step_simulation_by(simulation, 1);
            double x = 0.003 + 0.01 * k * speed, part = image(x, 0.2), border = image(x, 0.8);
            assert_true(series_of(simulation, "all.count") == 1.0);
            assert_true(series_of(simulation, "part.count") == (part <= 0.7));
            assert_true(series_of(simulation, "border.count") == (border <= 1.3));
        }
        double passed = i == 0 ? 2.0 : -2.0;
        assert_true(series_of(simulation, "inner.count") == passed && series_of(simulation, "inner.mass") == 2.0 * passed);
        assert_true(series_of(simulation, "back.count") == -passed && series_of(simulation, "slant.count") == passed);
        assert_true(series_of(simulation, "lower.count") == passed && series_of(simulation, "upper.count") == passed);
        assert_true(series_of(simulation, "across.count") == 0.0);
        finish_simulation(simulation, scene);
    }
}

/* An outlet takes a body whose image is in it. After k steps the ball is at 0.003 - 0.04 k: boxes take it at -1.437, the half space at -1.037. */
static void test_balls_that_fly_round_are_taken(void **state) {
    (void)state;
    const struct {
        const char *region;
        int steps;
    } cases[] = {{"\"lower\": [0.5, -1, -1], \"upper\": [0.6, 1, 1]", 36},
                 {"\"lower\": [2.5, -1, -1], \"upper\": [2.6, 1, 1]", 36},
                 {"\"half_space\": {\"normal\": [-1, 0, 0], \"offset\": -0.6}", 26}};
    for (int i = 0; i < 3; i++) {
        char text[2048];
        snprintf(text, sizeof text, PERIODIC "\"bodies\": [" BALL("a", "0", "-4") "], \"outlets\": [{\"name\": \"o\", %s}]}",
                 cases[i].region);
        abut_scene *scene;
        abut_simulation *simulation = start_simulation(text, &scene);
        step_simulation_by(simulation, cases[i].steps);
        assert_true(is_there(simulation, 0) && series_of(simulation, "o.count") == 0.0);
        step_simulation_by(simulation, 1);
        assert_true(!is_there(simulation, 0) && series_of(simulation, "o.count") == 1.0);
        finish_simulation(simulation, scene);
    }
}

/* ---- how many ---- */

static char *many_text(int outlets, int measures) {
    size_t size = 200 + 100 * (size_t)(outlets + measures), used = 0;
    char *text = malloc(size);
    used += (size_t)snprintf(
        text, size, "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"b\", \"shape\": {\"sphere\": {\"radius\": 1}}}]");
    for (int i = 0; i < outlets; i++) {
        used += (size_t)snprintf(text + used, size - used, "%s{\"name\": \"o%d\", \"half_space\": {\"normal\": [0, 0, 1], \"offset\": -9}}",
                                 i == 0 ? ", \"outlets\": [" : "", i);
        used += (size_t)snprintf(text + used, size - used, i + 1 < outlets ? ", " : "]");
    }
    for (int i = 0; i < measures; i++) {
        used +=
            (size_t)snprintf(text + used, size - used, "%s{\"name\": \"m%d\", \"force_on\": \"b\"}", i == 0 ? ", \"measures\": [" : "", i);
        used += (size_t)snprintf(text + used, size - used, i + 1 < measures ? ", " : "]");
    }
    snprintf(text + used, size - used, "}");
    return text;
}

static void test_as_many_as_a_scene_may_have(void **state) {
    (void)state;
    const struct {
        int outlets, measures;
        bool right;
    } cases[] = {{1000, 0, true}, {0, 1000, true}, {600, 400, true}, {1001, 0, false}, {0, 1001, false}, {600, 401, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = many_text(cases[i].outlets, cases[i].measures);
        abut_scene *scene = NULL;
        abut_error error = {ABUT_OK, ""};
        abut_status status = parse_scene(text, &scene, &error);
        assert_int_equal(status, cases[i].right ? ABUT_OK : ABUT_ERROR_FORMAT);
        if (!cases[i].right) {
            assert_non_null(strstr(error.message, "a scene may have 1000 outlets and measures together, not 1001"));
        }
        abut_scene_destroy(scene);
        free(text);
    }
}

/* ---- the same again ---- */

static const char chute[] =
    "{\"abut_scene\": 1, \"dt\": 0.01, \"duration\": 0.5, \"stepper\": {\"kind\": \"dem\", \"step_share\": 0.3}, \"materials\": {\"m\": "
    "{\"density\": 2000, \"young\": 1e6, \"restitution\": 0.2}}, \"bodies\": [{\"name\": \"plate\", \"kind\": \"static\", \"material\": "
    "\"m\", "
    "\"shape\": {\"box\": {\"half\": [0.1, 0.1, 0.01]}}, \"rotation\": {\"axis\": [0, 1, 0], \"degrees\": 35}}, {\"name\": \"g\", "
    "\"material\": "
    "\"m\", \"velocity\": [0, 0, -1], \"shape\": {\"sphere\": {\"radius\": 0.008}}, \"inlet\": {\"number_rate\": 300, \"lower\": [-0.05, "
    "-0.05, "
    "0.1], \"upper\": [0.05, 0.05, 0.14]}}], \"outlets\": [{\"name\": \"o\", \"half_space\": {\"normal\": [0, 0, 1], \"offset\": -0.1}}], "
    "\"measures\": [{\"name\": \"plate\", \"force_on\": \"plate\"}, {\"name\": \"edge\", \"flow_through\": {\"normal\": [0, 0, -1], "
    "\"offset\": "
    "0.05}}, {\"name\": \"room\", \"average_in\": {\"lower\": [-0.1, -0.1, -0.1], \"upper\": [0.1, 0.1, 0.1]}}]}";

static void assert_same_series(const abut_simulation *one, const abut_simulation *other) {
    for (int32_t i = 0; i < abut_scene_series_count(abut_simulation_scene(one)); i++) {
        assert_true(abut_simulation_series(one)[i] == abut_simulation_series(other)[i]);
    }
}

static void test_a_saved_state_goes_on(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *whole = start_simulation(chute, &scene);
    for (int at = 0; at <= 45; at += 15) {
        size_t size = 0;
        assert_status(abut_simulation_save(whole, NULL, 0, &size), ABUT_ERROR_CAPACITY);
        void *saved = malloc(size);
        assert_ok(abut_simulation_save(whole, saved, size, &size));
        abut_simulation *resumed = NULL;
        assert_ok(abut_simulation_create(scene, &resumed, NULL));
        step_simulation_by(resumed, at == 15 ? 40 : 0);
        assert_ok(abut_simulation_restore(resumed, saved, size));
        assert_same_series(whole, resumed);
        step_simulation_by(whole, 15);
        step_simulation_by(resumed, 15);
        assert_same_series(whole, resumed);
        assert_true(abut_world_hash(abut_simulation_world(whole)) == abut_world_hash(abut_simulation_world(resumed)));
        abut_simulation_destroy(resumed);
        free(saved);
    }
    assert_true(series_of(whole, "o.count") > 20.0 && series_of(whole, "edge.count") > series_of(whole, "o.count"));
    /* What has come is there or was taken away. */
    abut_step_report report;
    assert_ok(abut_world_report(abut_simulation_world(whole), &report));
    assert_true(series_of(whole, "g.count") == series_of(whole, "o.count") + report.bodies - 1);
    finish_simulation(whole, scene);
}

static void test_threads_change_nothing(void **state) {
    (void)state;
    abut_scene *scene[2];
    abut_simulation *simulation[2];
    for (int i = 0; i < 2; i++) {
        scene[i] = right_scene(chute);
        abut_scene_set_parallel(scene[i], (abut_parallel){.threads = i + 1});
        assert_ok(abut_simulation_create(scene[i], &simulation[i], NULL));
        step_simulation_by(simulation[i], 50);
    }
    assert_same_series(simulation[0], simulation[1]);
    for (int i = 0; i < 2; i++) {
        finish_simulation(simulation[i], scene[i]);
    }
}

/* A state of a scene with other series belongs to another scene. */
static void test_another_scene(void **state) {
    (void)state;
    abut_scene *scene, *other;
    char text[sizeof chute];
    memcpy(text, chute, sizeof chute);
    char *measure = strstr(text, "{\"name\": \"edge\"");
    char *next = strstr(measure, "{\"name\": \"room\"");
    memmove(measure, next, strlen(next) + 1);
    abut_simulation *simulation = start_simulation(chute, &scene), *less = start_simulation(text, &other);
    size_t size = 0;
    assert_status(abut_simulation_save(simulation, NULL, 0, &size), ABUT_ERROR_CAPACITY);
    void *saved = malloc(size);
    assert_ok(abut_simulation_save(simulation, saved, size, &size));
    assert_status(abut_simulation_restore(less, saved, size), ABUT_ERROR_FOREIGN);
    free(saved);
    finish_simulation(simulation, scene);
    finish_simulation(less, other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_outlets_take_away_and_count),
        cmocka_unit_test(test_flow),
        cmocka_unit_test(test_force),
        cmocka_unit_test(test_averages),
        cmocka_unit_test(test_balls_that_fly_round_are_measured),
        cmocka_unit_test(test_balls_that_fly_round_are_taken),
        cmocka_unit_test(test_as_many_as_a_scene_may_have),
        cmocka_unit_test(test_a_saved_state_goes_on),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_another_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
