/* Bodies that come through inlets: when, where, how many; the same for any number of threads, and in a run that goes on from a saved state. */
#include "io/scene/grain/feed.h"
#include "support/io_files.h"

#include <math.h>

#include <abut/query.h>
#include <jansson.h>

#define HEAD                                                                                                                    \
    "{\"abut_scene\": 1, \"dt\": 0.01, \"duration\": 1, \"stepper\": {\"kind\": \"dem\", \"step_share\": 0.3}, \"materials\": " \
    "{\"m\": {\"density\": 2000, \"young\": 1e6, \"restitution\": 0.2}}, \"bodies\": ["                                         \
    "{\"name\": \"floor\", \"kind\": \"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1]}}, \"material\": \"m\"}, "

static abut_simulation *start(const char *text, abut_scene **scene) {
    abut_simulation *simulation = NULL;
    abut_error error = {ABUT_OK, ""};
    *scene = right_scene(text);
    if (abut_simulation_create(*scene, &simulation, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    return simulation;
}

static void step(abut_simulation *simulation, int steps) {
    for (int i = 0; i < steps; i++) {
        abut_error error = {ABUT_OK, ""};
        if (abut_simulation_step(simulation, NULL, &error) != ABUT_OK) {
            fail_msg("%s", error.message);
        }
    }
}

static void finish(abut_simulation *simulation, abut_scene *scene) {
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

static abut_inlet_state inlet_of(const abut_simulation *simulation, int32_t index) {
    abut_inlet_state state = {0};
    assert_ok(abut_simulation_inlet(simulation, index, &state));
    return state;
}

static abut_body_info info_of(const abut_simulation *simulation, int32_t body, abut_body_state *state) {
    abut_body_info info;
    assert_ok(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, body), state));
    assert_ok(abut_world_body_info(abut_simulation_world(simulation), abut_simulation_body_id(simulation, body), &info));
    return info;
}

/* ---- how many ---- */

/* The mass that has come is behind rate times time by less than the mass of one grain; sizes follow the curve. */
static void test_a_mass_rate(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation =
        start(HEAD "{\"name\": \"g\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"material\": \"m\", \"velocity\": "
                   "[0, 0, -2], \"inlet\": {\"mass_rate\": 0.5, \"from\": 0.055, \"until\": 0.5, \"lower\": [-0.1, "
                   "-0.1, 0.5], \"upper\": [0.1, 0.1, 0.54], \"sizes\": {\"by\": \"mass\", \"curve\": [[0.008, 0], "
                   "[0.012, 1]]}}}]}",
              &scene);
    const double heaviest = 2000.0 * PI / 6.0 * pow(0.012, 3.0);
    double sum = 0.0;
    int32_t before = 0;
    for (int k = 0; k < 70; k++) {
        step(simulation, 1);
        abut_inlet_state found = inlet_of(simulation, 0);
        double wanted = 0.5 * fmax(fmin(0.01 * k, 0.5) - 0.055, 0.0);
        assert_int_equal(found.due, found.placed);
        assert_true(found.mass <= wanted + 1e-12);
        assert_true(found.mass > wanted - heaviest);
        for (; before < found.placed; before++) {
            abut_body_state body;
            abut_body_info info = info_of(simulation, 1 + before, &body);
            double size = 2.0 * abut_shape_radius(info.shape);
            assert_true(size >= 0.008 && size <= 0.012);
            assert_near(info.mass, 2000.0 * PI / 6.0 * pow(size, 3.0), 1e-12 * info.mass);
            sum += info.mass;
        }
        assert_near(found.mass, sum, 1e-12);
    }
    abut_scene_inlet inlet;
    assert_ok(abut_scene_get_inlet(scene, 0, &inlet));
    assert_string_equal(inlet.name, "g");
    assert_int_equal(inlet.first_body, 1);
    assert_int_equal(inlet.count, before);
    assert_int_equal(abut_scene_body_inlet(scene, 0), -1);
    assert_int_equal(abut_scene_body_inlet(scene, before), 0);
    assert_int_equal(abut_scene_body_inlet(scene, before + 1), -1);
    assert_string_equal(abut_scene_body_name(scene, 3), "g.3");
    assert_status(abut_scene_get_inlet(scene, 1, &inlet), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_simulation_inlet(simulation, -1, &(abut_inlet_state){0}), ABUT_ERROR_INVALID_ARGUMENT);
    finish(simulation, scene);
}

/* Grain k of a number rate f comes with the first step that begins at (k + 1) / f or later; the end is a number, a mass or a time. */
static void test_number_rates_and_ends(void **state) {
    (void)state;
    const struct {
        const char *end;
        int count;
    } ends[] = {{"\"number\": 7", 7}, {"\"until\": 0.12", 12}, {"\"mass\": 0.09", 10}, {"\"number\": 30, \"until\": 0.2", 20}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 HEAD
                 "{\"name\": \"g\", \"shape\": {\"sphere\": {\"radius\": 0.01}}, \"material\": \"m\", \"inlet\": {\"number_rate\": 100, "
                 "\"lower\": [-0.2, -0.2, 0.5], \"upper\": [0.2, 0.2, 0.6], %s}}]}",
                 ends[i].end);
        abut_scene *scene;
        abut_simulation *simulation = start(text, &scene);
        for (int k = 0; k < 30; k++) {
            step(simulation, 1);
            assert_int_equal(inlet_of(simulation, 0).placed, k < ends[i].count ? k : ends[i].count);
        }
        assert_int_equal(abut_scene_body_count(scene), ends[i].count + 1);
        finish(simulation, scene);
    }
}

/* 9000 bodies are due at once, and there is room for all: they come in three steps. */
static void test_as_many_as_come_in_a_step(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation = start(
        "{\"abut_scene\": 1, \"dt\": 0.01, \"duration\": 1, \"bodies\": [{\"name\": \"g\", \"shape\": {\"sphere\": {\"radius\": 0.001}}, "
        "\"inlet\": {\"number_rate\": 1e6, \"number\": 9000, \"lower\": [-1, -1, 0], \"upper\": [1, 1, 2]}}]}",
        &scene);
    const int32_t placed[] = {0, 4096, 8192, 9000, 9000};
    for (size_t k = 0; k < sizeof placed / sizeof *placed; k++) {
        step(simulation, 1);
        assert_int_equal(inlet_of(simulation, 0).placed, placed[k]);
        assert_int_equal(inlet_of(simulation, 0).due, k == 0 ? 0 : 9000);
    }
    finish(simulation, scene);
}

/* ---- where ---- */

/* The gap of two bodies of a world, in which space may be periodic along x. */
static double gap_of(const abut_simulation *simulation, int32_t a, int32_t b, double period) {
    abut_body_state p, q;
    abut_body_info first = info_of(simulation, a, &p), second = info_of(simulation, b, &q);
    double least = INFINITY;
    for (int k = -2; k <= 2; k++) {
        abut_pose image = q.pose;
        image.position.x += k * period;
        abut_separation found;
        assert_ok(abut_distance(&(abut_pair){first.shape, p.pose, second.shape, image}, NULL, NULL, &found));
        least = fmin(least, found.gap);
    }
    return least;
}

/* No grain begins in another one, in a wall or outside its region; what finds no room waits. */
static void check_places(const char *what, const char *bodies, double period, double spacing, bool crowded) {
    abut_scene *scene;
    char text[4096];
    snprintf(text, sizeof text, "%s%s]}", HEAD, bodies);
    abut_simulation *simulation = start(text, &scene);
    int32_t known = 0, first = 0, waited = 0;
    abut_scene_inlet inlet;
    assert_ok(abut_scene_get_inlet(scene, 0, &inlet));
    first = inlet.first_body;
    for (int k = 0; k < 40; k++) {
        abut_error error;
        assert_ok(simulation_feed(simulation, &error));
        int32_t now = inlet_of(simulation, 0).placed;
        for (int32_t i = known; i < now; i++) {
            for (int32_t b = 0; b < first + i; b++) {
                double gap = gap_of(simulation, first + i, b, period);
                if (!(gap >= spacing - 1e-12)) {
                    fail_msg("%s: step %d: '%s' comes %g from '%s'", what, k, abut_scene_body_name(scene, first + i), gap,
                             abut_scene_body_name(scene, b));
                }
            }
        }
        known = now;
        step(simulation, 1);
        assert_int_equal(inlet_of(simulation, 0).placed, known); /* the step finds the same places again, which are taken */
        waited += inlet_of(simulation, 0).due > known;
    }
    print_message("%s: %d of %d came, steps with waiting: %d\n", what, known, inlet.count, waited);
    assert_true(known > 20);
    assert_true((waited > 0) == crowded);
    finish(simulation, scene);
}

static void test_places(void **state) {
    (void)state;
    check_places(
        "box",
        "{\"name\": \"g\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"material\": \"m\", \"velocity\": [0, 0, -1], \"inlet\": "
        "{\"number_rate\": 300, \"lower\": [-0.05, -0.05, 0.2], \"upper\": [0.05, 0.05, 0.25], \"spacing\": 0.001, \"sizes\": {\"by\": "
        "\"number\", \"gauss\": {\"mean\": 0.012, \"deviation\": 0.003, \"least\": 0.008, \"most\": 0.02}}}}",
        0.0, 0.001, false);
    check_places(
        "crowded box with walls",
        "{\"name\": \"wall\", \"kind\": \"static\", \"shape\": {\"box\": {\"half\": [0.01, 0.1, 0.1]}}, \"position\": [0, 0, 0.05]}, "
        "{\"name\": \"stone\", \"kind\": \"static\", \"shape\": {\"sphere\": {\"radius\": 0.03}}, \"position\": [0.05, 0.05, 0.03]}, "
        "{\"name\": \"sheet\", \"kind\": \"static\", \"shape\": {\"trimesh\": {\"vertices\": [[-0.05, -0.05, 0.04], [-0.02, -0.05, "
        "0.04], [-0.02, 0.05, 0.05]], \"triangles\": [[0, 1, 2]]}}}, "
        "{\"name\": \"g\", \"shape\": {\"sphere\": {\"radius\": 0.006}}, \"material\": \"m\", \"inlet\": {\"number_rate\": 600, "
        "\"lower\": [-0.05, -0.05, 0], \"upper\": [0.05, 0.05, 0.07]}}",
        0.0, 0.0, true);
    check_places("disc",
                 "{\"name\": \"g\", \"shape\": {\"sphere\": {\"radius\": 0.004}}, \"material\": \"m\", \"velocity\": [1, 0, 0], \"inlet\": "
                 "{\"number_rate\": 1500, \"disc\": {\"centre\": [0, 0, 0.3], \"normal\": [3, 0, 0], \"radius\": 0.02}}}",
                 0.0, 0.0, true);
}

/* Cubes are placed by the balls about them, and turned. */
static void test_other_shapes(void **state) {
    (void)state;
    check_places(
        "cubes",
        "{\"name\": \"g\", \"shape\": {\"box\": {\"half\": [0.004, 0.004, 0.004]}}, \"material\": \"m\", \"velocity\": [0, 0, -2], "
        "\"inlet\": {\"number_rate\": 100, \"lower\": [-0.03, -0.03, 0.5], \"upper\": [0.03, 0.03, 0.55]}}",
        0.0, 0.0, false);
    abut_scene *scene;
    abut_simulation *simulation =
        start(HEAD "{\"name\": \"g\", \"shape\": {\"box\": {\"half\": [0.004, 0.004, 0.004]}}, \"material\": \"m\", \"inlet\": "
                   "{\"number_rate\": 100, \"number\": 5, \"lower\": [-0.03, -0.03, 0.5], \"upper\": [0.03, 0.03, 0.55]}}]}",
              &scene);
    for (int i = 1; i < 5; i++) {
        const abut_body_def *def = abut_scene_body_def(scene, i + 1), *before = abut_scene_body_def(scene, i);
        assert_true(def->pose.rotation.w != before->pose.rotation.w);
        assert_ptr_equal(def->shape, before->shape);
    }
    finish(simulation, scene);
}

/* Grains that have left a periodic space on one side are in the way on the other one. */
static void test_periodic_images(void **state) {
    (void)state;
    static const char scene[] =
        "{\"name\": \"g\", \"shape\": {\"sphere\": {\"radius\": 0.008}}, \"material\": \"m\", \"velocity\": [3, 0, 0], \"inlet\": "
        "{\"number_rate\": 200, \"lower\": [0, 0, 0.2], \"upper\": [0.1, 0.1, 0.217]}}";
    abut_scene *loaded;
    char text[2048];
    snprintf(text, sizeof text, "%s%s]}", HEAD, scene);
    json_t *root = json_loads(text, 0, NULL);
    json_object_set_new(json_object_get(root, "stepper"), "periodic", json_pack("{s:[f,f]}", "x", 0.0, 0.1));
    json_object_set_new(root, "gravity", json_pack("[i,i,i]", 0, 0, 0));
    char *periodic = json_dumps(root, 0);
    json_decref(root);
    abut_simulation *simulation = start(periodic, &loaded);
    free(periodic);
    for (int k = 0; k < 40; k++) {
        abut_error error;
        int32_t known = inlet_of(simulation, 0).placed;
        assert_ok(simulation_feed(simulation, &error));
        int32_t now = inlet_of(simulation, 0).placed;
        for (int32_t i = known; i < now; i++) {
            for (int32_t b = 0; b < i; b++) {
                abut_body_state p, q;
                info_of(simulation, 1 + i, &p);
                info_of(simulation, 1 + b, &q);
                abut_vec3 arm = abut_sub(p.pose.position, q.pose.position);
                arm.x = remainder(arm.x, 0.1);
                assert_true(abut_length(arm) >= 0.016 - 1e-12);
            }
        }
        step(simulation, 1);
    }
    assert_in_range(inlet_of(simulation, 0).placed, 10, 40);
    finish(simulation, loaded);
}

/* ---- the same again ---- */

#define TWO                                                                                                                                \
    HEAD "{\"name\": \"one\", \"shape\": {\"sphere\": {\"radius\": 0.01}}, \"material\": \"m\", \"velocity\": [0, 0, -1], "                \
         "\"inlet\": {\"number_rate\": 200, \"lower\": [-0.05, -0.05, 0.1], \"upper\": [0.05, 0.05, 0.14], \"until\": 0.5}}, "             \
         "{\"name\": \"box\", \"kind\": \"static\", \"shape\": {\"box\": {\"half\": [0.02, 0.02, 0.02]}}, \"position\": [0.1, 0, 0.02]}, " \
         "{\"name\": \"two\", \"shape\": {\"sphere\": {\"radius\": 1}}, \"material\": \"m\", \"inlet\": {\"mass_rate\": 0.3, "             \
         "\"disc\": {\"centre\": [0.1, 0, 0.12], \"normal\": [0, 0, 1], \"radius\": 0.04}, \"seed\": 7, \"sizes\": {\"by\": \"number\", "  \
         "\"log_normal\": {\"median\": 0.01, \"deviation\": 0.2, \"least\": 0.006, \"most\": 0.016}}}}]}"

/* Bodies are removed, so that those that come take their slots. */
static void remove_some(abut_simulation *simulation, int round) {
    for (int i = 0; i < 3; i++) {
        abut_body_id id = abut_simulation_body_id(simulation, 1 + 3 * round + i);
        if (id.index != 0) {
            (void)abut_world_remove_body(abut_simulation_world(simulation), id);
        }
    }
}

static uint64_t run_to(abut_simulation *simulation, int steps) {
    for (int k = (int)abut_simulation_step_index(simulation); k < steps; k++) {
        if (k % 10 == 9) {
            remove_some(simulation, k / 10);
        }
        step(simulation, 1);
    }
    return abut_world_hash(abut_simulation_world(simulation));
}

static void test_threads_change_nothing(void **state) {
    (void)state;
    uint64_t hashes[3];
    for (int threads = 1; threads <= 3; threads++) {
        abut_scene *scene = right_scene(TWO);
        abut_simulation *simulation = NULL;
        abut_scene_set_parallel(scene, (abut_parallel){.threads = threads});
        assert_ok(abut_simulation_create(scene, &simulation, NULL));
        hashes[threads - 1] = run_to(simulation, 60);
        assert_true(inlet_of(simulation, 0).placed > 90 && inlet_of(simulation, 1).placed > 60);
        finish(simulation, scene);
    }
    assert_true(hashes[0] == hashes[1] && hashes[1] == hashes[2]);
}

static void test_a_saved_state_goes_on(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *whole = start(TWO, &scene);
    for (int at = 0; at <= 60; at += 15) {
        run_to(whole, at);
        size_t size = 0;
        assert_status(abut_simulation_save(whole, NULL, 0, &size), ABUT_ERROR_CAPACITY);
        unsigned char *saved = malloc(size);
        assert_ok(abut_simulation_save(whole, saved, size, &size));

        abut_simulation *resumed = NULL;
        assert_ok(abut_simulation_create(scene, &resumed, NULL));
        run_to(resumed, at == 30 ? 20 : 0); /* one that has gone its own way, too */
        assert_ok(abut_simulation_restore(resumed, saved, size));
        assert_true(abut_world_hash(abut_simulation_world(resumed)) == abut_world_hash(abut_simulation_world(whole)));
        for (int32_t i = 0; i < abut_scene_body_count(scene); i++) {
            abut_body_id one = abut_simulation_body_id(whole, i), other = abut_simulation_body_id(resumed, i);
            assert_true(one.index == other.index && one.generation == other.generation);
        }
        abut_simulation *reference = NULL;
        assert_ok(abut_simulation_create(scene, &reference, NULL));
        assert_true(run_to(reference, at + 12) == run_to(resumed, at + 12));
        abut_inlet_state p = inlet_of(reference, 1), q = inlet_of(resumed, 1);
        assert_true(p.due == q.due && p.placed == q.placed && p.mass == q.mass);

        /* Damaged ids are seen, and nothing changes. */
        uint64_t hash = abut_world_hash(abut_simulation_world(resumed));
        saved[40] ^= 1;
        assert_status(abut_simulation_restore(resumed, saved, size), ABUT_ERROR_FORMAT);
        assert_true(abut_world_hash(abut_simulation_world(resumed)) == hash);
        abut_simulation_destroy(reference);
        abut_simulation_destroy(resumed);
        free(saved);
    }
    finish(whole, scene);
}

/* ---- other steppers, and the end ---- */

static void test_every_stepper(void **state) {
    (void)state;
    static const char *const kinds[] = {"fixed", "event", "dem"};
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "{\"abut_scene\": 1, \"dt\": 0.02, \"duration\": 1, \"stepper\": {\"kind\": \"%s\"}, \"bodies\": [{\"name\": \"floor\", "
            "\"kind\": \"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1]}}, \"friction\": 0}, {\"name\": \"g\", \"friction\": 0, "
            "\"shape\": {\"sphere\": {\"radius\": 0.1}}, \"inlet\": {\"number_rate\": 10, \"lower\": [0, 0, 1], \"upper\": [2, 2, "
            "1.5]}}]}",
            kinds[i]);
        abut_scene *scene;
        abut_simulation *simulation = start(text, &scene);
        assert_int_equal(abut_scene_warning_count(scene), 0);
        step(simulation, 50);
        assert_int_equal(inlet_of(simulation, 0).placed, 9);
        abut_step_report report;
        assert_ok(abut_world_report(abut_simulation_world(simulation), &report));
        assert_int_equal(report.bodies, 10);
        finish(simulation, scene);
    }
}

/* A scene is not at rest before all have come. */
static void test_rest_waits(void **state) {
    (void)state;
    abut_scene *scene;
    abut_simulation *simulation =
        start("{\"abut_scene\": 1, \"dt\": 0.01, \"duration\": 2, \"stepper\": {\"kind\": \"dem\", \"step_share\": 0.3}, \"until\": "
              "{\"kinetic\": 1e-3, \"residual\": 0.01}, \"bodies\": [{\"name\": \"floor\", \"kind\": \"static\", \"shape\": {\"plane\": "
              "{\"normal\": [0, 0, 1]}}}, {\"name\": \"g\", \"shape\": {\"sphere\": {\"radius\": 0.02}}, \"inlet\": {\"number_rate\": 2, "
              "\"number\": 2, \"lower\": [0, 0, 0], \"upper\": [1, 1, 0.042]}}]}",
              &scene);
    while (!abut_simulation_finished(simulation)) {
        step(simulation, 1);
    }
    assert_true(abut_simulation_at_rest(simulation));
    assert_int_equal(inlet_of(simulation, 0).placed, 2);
    assert_true(abut_simulation_time(simulation) > 1.0 && abut_simulation_time(simulation) < 2.0);
    finish(simulation, scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_mass_rate),
        cmocka_unit_test(test_number_rates_and_ends),
        cmocka_unit_test(test_as_many_as_come_in_a_step),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_other_shapes),
        cmocka_unit_test(test_periodic_images),
        cmocka_unit_test(test_threads_change_nothing),
        cmocka_unit_test(test_every_stepper),
        cmocka_unit_test(test_a_saved_state_goes_on),
        cmocka_unit_test(test_rest_waits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
