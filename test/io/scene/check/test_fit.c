/*
 * What a run would refuse is refused when the scene is loaded: every kind of shape with every stepper, and every pair of kinds. The judge is a world that is
 * built by hand from the same bodies, and stepped.
 */
#include "support/io_files.h"

#include <abut/world.h>

#define FACETS "\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"triangles\": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]"

static const char *const shapes[] = {
    "{\"sphere\": {\"radius\": 0.5}}",
    "{\"capsule\": {\"radius\": 0.3, \"half_length\": 0.3}}",
    "{\"box\": {\"half\": [0.5, 0.5, 0.5]}}",
    "{\"ellipsoid\": {\"half\": [0.5, 0.4, 0.5]}}",
    "{\"superquadric\": {\"half\": [0.5, 0.5, 0.5], \"exponents\": [0.5, 0.5]}}",
    "{\"torus\": {\"ring_radius\": 0.9, \"tube_radius\": 0.35}}",
    "{\"cylinder\": {\"radius\": 0.5, \"half_height\": 0.5}}",
    "{\"cone\": {\"radius\": 0.5, \"height\": 1}}",
    "{\"cone\": {\"radius\": 0.5, \"height\": 1, \"top_radius\": 0.2}}",
    "{\"prism\": {\"radius\": 0.5, \"half_height\": 0.5, \"sides\": 8}}",
    "{\"pyramid\": {\"radius\": 0.5, \"height\": 1, \"sides\": 8}}",
    "{\"hull\": {\"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}}",
    "{\"compound\": [{\"shape\": {\"box\": {\"half\": [0.5, 0.5, 0.5]}}}, {\"shape\": {\"sphere\": {\"radius\": 0.6}}}]}",
    "{\"compound\": [{\"shape\": {\"box\": {\"half\": [0.5, 0.5, 0.5]}}}, {\"shape\": {\"cylinder\": {\"radius\": 0.5, \"half_height\": "
    "0.6}}}]}",
    "{\"trimesh\": {" FACETS "}}",
    "{\"facetmesh\": {" FACETS "}}",
    "{\"plane\": {\"normal\": [0, 0, 1], \"offset\": 0.5}}",
    "{\"heightfield\": {\"heights\": [[0, 0], [0, 0.7]], \"spacing\": [1, 1]}}",
};

enum { SHAPES = sizeof shapes / sizeof *shapes, MOVABLE = SHAPES - 2 };

static const char *const steppers[] = {"fixed", "event", "dem"};
static const abut_stepper kinds[] = {ABUT_STEPPER_FIXED, ABUT_STEPPER_EVENT, ABUT_STEPPER_DEM};

/* A body above another, so near that their bounds meet. */
static abut_status load(const char *stepper, const char *upper, const char *lower, abut_scene **scene, abut_error *error) {
    char text[2048];
    snprintf(text, sizeof text,
             "{\"abut_scene\": 1, \"duration\": 0.1, \"dt\": 0.01, \"stepper\": {\"kind\": \"%s\"}, \"bodies\": [\n{\"name\": \"upper\", "
             "\"position\": [0.1, 0.1, 0.8], \"shape\": %s}%s%s%s]}",
             stepper, upper, lower ? ",\n{\"name\": \"lower\", \"kind\": \"static\", \"shape\": " : "", lower ? lower : "",
             lower ? "}" : "");
    return parse_scene(text, scene, error);
}

/* What a world that is built by hand says to the first step, or which kind of shape it refuses in ten. */
static abut_status step_by_hand(abut_stepper stepper, const abut_body_def *upper, const abut_body_def *lower) {
    abut_world_def def = abut_world_def_default();
    abut_world *world = NULL;
    abut_status status = ABUT_OK;
    def.stepper = stepper;
    def.parallel.threads = 1;
    assert_ok(abut_world_create(&def, &world));
    assert_ok(abut_world_add_body(world, upper, NULL));
    assert_ok(abut_world_add_body(world, lower, NULL));
    abut_status taken = abut_world_check(world);
    /* The dem stepper takes many steps for bodies that overlap. It refuses a body wherever it is. */
    double dt = stepper == ABUT_STEPPER_DEM ? 1e-5 : 0.01;
    for (int i = 0; i < (stepper == ABUT_STEPPER_DEM ? 1 : 10) && status == ABUT_OK; i++) {
        status = abut_world_step(world, dt, NULL);
        status = i == 0 || status == ABUT_ERROR_UNSUPPORTED_PAIR ? status : ABUT_OK;
    }
    assert_true(stepper == ABUT_STEPPER_FIXED || taken == (status == ABUT_ERROR_UNSUPPORTED_PAIR ? status : ABUT_OK));
    abut_world_destroy(world);
    return status;
}

static void test_every_kind_with_every_stepper(void **state) {
    (void)state;
    int refused = 0, wrong = 0;
    for (int s = 0; s < 3; s++) {
        for (int a = 0; a < MOVABLE; a++) {
            for (int b = 0; b < SHAPES; b++) {
                abut_scene *scene = NULL, *one = NULL, *two = NULL;
                abut_error error = {ABUT_OK, ""};
                assert_ok(load("fixed", shapes[a], NULL, &one, &error));
                char text[1024];
                snprintf(text, sizeof text,
                         "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"lower\", \"kind\": \"static\", \"shape\": %s}]}",
                         shapes[b]);
                assert_ok(parse_scene(text, &two, &error));
                abut_status loaded = load(steppers[s], shapes[a], shapes[b], &scene, &error);
                abut_status stepped = step_by_hand(kinds[s], abut_scene_body_def(one, 0), abut_scene_body_def(two, 0));
                if ((loaded == ABUT_OK) != (stepped == ABUT_OK)) {
                    print_error("%s: %s on %s: loading says %s, stepping %s\n", steppers[s], shapes[a], shapes[b], abut_status_name(loaded),
                                abut_status_name(stepped));
                    wrong++;
                }
                int line = 0;
                refused += loaded != ABUT_OK;
                assert_true(loaded == ABUT_OK || (sscanf(strrchr(error.message, '/'), "/scene.json:%d:", &line) == 1 && line >= 2));
                abut_scene_destroy(scene);
                abut_scene_destroy(one);
                abut_scene_destroy(two);
            }
        }
    }
    print_message("%d pairs refused\n", refused);
    assert_true(refused > 150);
    assert_int_equal(wrong, 0);
}

static void expect_refusal(const char *text, const char *message) {
    abut_scene *scene = NULL;
    abut_error error = {ABUT_OK, ""};
    assert_true(parse_scene(text, &scene, &error) != ABUT_OK);
    if (!strstr(error.message, message)) {
        fail_msg("%s", error.message);
    }
}

static void test_refusals_say_where_and_why(void **state) {
    (void)state;
    expect_refusal(
        "{\"abut_scene\": 1, \"duration\": 1, \"stepper\": {\"kind\": \"event\"}, \"bodies\": [\n{\"name\": \"b\", \"shape\": "
        "{\"cone\": {\"radius\": 1, \"height\": 1}}}]}",
        "scene.json:2:24: body 'b': the event stepper does not take cylinders and cones; use prisms and pyramids, or the fixed stepper");
    expect_refusal(
        "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [\n{\"name\": \"ring\", \"shape\": {\"implicit\": {\"formula\": \"(hypot(x, y) - "
        "2)^2 + z^2 - 0.0009\", \"upper\": [2.1, 2.1, 0.1], \"inside\": [2, 0, 0], \"convex\": false}}},\n{\"name\": \"ball\", "
        "\"position\": [9, 9, 9], \"shape\": {\"sphere\": {\"radius\": 1}}}]}",
        "scene.json:2:27: body 'ring': this shape is not convex and too thin for a mesh of its surface, so it has no contacts with body "
        "'ball'; use a "
        "trimesh");
    expect_refusal(
        "{\"abut_scene\": 1, \"duration\": 1, \"stepper\": {\"kind\": \"dem\",\n\"periodic\": {\"x\": [0, 3]}}, \"bodies\": [{\"name\": "
        "\"f\", \"shape\": {\"facetmesh\": {" FACETS "}}}]}",
        "scene.json:2:13: the periodic space is too short for the largest body");
    expect_refusal("{\"abut_scene\": 1, \"duration\": 1, \"stepper\":\n{\"kind\": \"event\", \"tolerance\": 1e308, \"touching\": 1e308}, "
                   "\"bodies\": [{\"name\": \"b\", \"shape\": {\"sphere\": {\"radius\": 1}}}]}",
                   "scene.json:2:1: the stepper cannot move these bodies with these settings");
}

/* Two bodies that forces do not move never meet, and no contacts are needed. */
static void test_bodies_that_never_meet(void **state) {
    (void)state;
    abut_scene_destroy(right_scene(
        "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"f\", \"kind\": \"static\", \"shape\": {\"facetmesh\": {" FACETS
        "}}}, {\"name\": \"b\", \"kind\": \"kinematic\", \"shape\": {\"box\": {\"half\": [1, 1, 1]}}}, {\"name\": \"s\", \"position\": [5, "
        "5, 5], "
        "\"kind\": \"static\", \"shape\": {\"sphere\": {\"radius\": 1}}}]}"));
}

static void test_bodies_inside_each_other_are_told(void **state) {
    (void)state;
    static const char *const told[] = {"fixed", "dem"};
    for (int s = 0; s < 2; s++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "{\"abut_scene\": 1, \"duration\": 1, \"stepper\": {\"kind\": \"%s\"}, \"bodies\": [\n"
                 "{\"name\": \"ground\", \"kind\": \"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1]}}},\n"
                 "{\"name\": \"lies\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"position\": [0, 0, 0.995]},\n"
                 "{\"name\": \"sunk\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"position\": [5, 0, 0.75]},\n"
                 "{\"name\": \"small\", \"shape\": {\"sphere\": {\"radius\": 0.1}}, \"position\": [5, 0, 0.75]},\n"
                 "{\"name\": \"under\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"position\": [-9, 0, -20]}]}",
                 told[s]);
        abut_scene *scene = right_scene(text);
        assert_int_equal(abut_scene_warning_count(scene), 3);
        assert_non_null(strstr(abut_scene_warning(scene, 0),
                               "scene.json:4:10: bodies 'ground' and 'sunk' begin inside each other: they overlap by 0.25"));
        assert_non_null(strstr(abut_scene_warning(scene, 1),
                               "scene.json:5:10: bodies 'sunk' and 'small' begin inside each other: they overlap by 1.1"));
        assert_non_null(strstr(abut_scene_warning(scene, 2),
                               "scene.json:6:10: bodies 'ground' and 'under' begin inside each other: they overlap by 21"));
        abut_scene_destroy(scene);
    }
}

/* The event stepper parts a ball and a box, but nothing that a kinematic body holds. */
static void test_bodies_that_cannot_be_parted(void **state) {
    (void)state;
    abut_scene *scene = right_scene("{\"abut_scene\": 1, \"duration\": 0.5, \"stepper\": {\"kind\": \"event\"}, \"bodies\": [\n"
                                    "{\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 0.5}}, \"position\": [0.2, 0.2, 1.2]},\n"
                                    "{\"name\": \"ground\", \"kind\": \"static\", \"shape\": {\"box\": {\"half\": [2, 2, 1]}}}]}");
    assert_int_equal(abut_scene_warning_count(scene), 1);
    assert_non_null(strstr(abut_scene_warning(scene, 0), "scene.json:3:10: bodies 'ball' and 'ground' begin inside each other"));
    abut_scene_destroy(scene);
    expect_refusal(
        "{\"abut_scene\": 1, \"duration\": 1, \"stepper\": {\"kind\": \"event\"}, \"bodies\": [\n"
        "{\"name\": \"ground\", \"kind\": \"static\", \"shape\": {\"box\": {\"half\": [1, 1, 1]}}},\n"
        "{\"name\": \"lid\", \"kind\": \"kinematic\", \"velocity\": [0, 0, -1], \"shape\": {\"box\": {\"half\": [1, 1, 1]}}, \"position\": "
        "[0, 0, 2.5]},\n"
        "{\"name\": \"box\", \"shape\": {\"box\": {\"half\": [0.4, 0.4, 0.4]}}, \"position\": [0, 0, 1.25]}]}",
        "scene.json:4:10: bodies 'ground' and 'box' begin inside each other, by 0.15, and the event stepper cannot make a step: ");
}

/* The event stepper has a limit of integration steps. A duration far beyond it is refused where it is written, and one that may be beyond it is told. */
static void test_steps_too_long(void **state) {
    (void)state;
    static const char *const durations[] = {"0.01", "1e6", "1e11", "1e150"};
    for (int i = 0; i < 8; i++) {
        char text[512];
        snprintf(text, sizeof text,
                 "{\"abut_scene\": 1, \"duration\": %s, \"stepper\": {\"kind\": \"%s\"},\n"
                 "\"dt\": %s, \"bodies\": [\n"
                 "{\"name\": \"ground\", \"kind\": \"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1]}}},\n"
                 "{\"name\": \"ball\", \"shape\": {\"sphere\": {\"radius\": 0.5}}, \"position\": [0, 0, 0.5]}]}",
                 durations[i % 4], i < 4 ? "event" : "fixed", durations[i % 4]);
        if (i == 2 || i == 3) {
            expect_refusal(text, "scene.json:2:7: a step of 1e+1");
            continue;
        }
        abut_scene *scene = right_scene(text);
        assert_int_equal(abut_scene_warning_count(scene), i == 1);
        if (i == 1) {
            assert_non_null(strstr(abut_scene_warning(scene, 0), "scene.json:2:7: a step of 1e+06 s may take the event stepper"));
        }
        abut_scene_destroy(scene);
    }
}

/* Ten thousand bodies at one place are told soon, and not all of them. */
static void test_many_bodies_at_one_place(void **state) {
    (void)state;
    static const char text[] = "{\"name\": \"b%d\", \"shape\": {\"sphere\": {\"radius\": 1}}}%s\n";
    enum { BODIES = 10000, SIZE = BODIES * 64 };
    char *scene_text = malloc(SIZE);
    assert_non_null(scene_text);
    int used = snprintf(scene_text, SIZE, "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [");
    for (int i = 0; i < BODIES; i++) {
        used += snprintf(scene_text + used, (size_t)(SIZE - used), text, i, i + 1 < BODIES ? "," : "]}");
    }
    abut_scene *scene = right_scene(scene_text);
    assert_int_equal(abut_scene_warning_count(scene), 20);
    assert_non_null(strstr(abut_scene_warning(scene, 19), "; further pairs are not told"));
    abut_scene_destroy(scene);
    free(scene_text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind_with_every_stepper),
        cmocka_unit_test(test_refusals_say_where_and_why),
        cmocka_unit_test(test_bodies_that_never_meet),
        cmocka_unit_test(test_bodies_inside_each_other_are_told),
        cmocka_unit_test(test_many_bodies_at_one_place),
        cmocka_unit_test(test_bodies_that_cannot_be_parted),
        cmocka_unit_test(test_steps_too_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
