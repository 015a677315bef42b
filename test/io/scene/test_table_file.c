/* Tables of numbers in files beside a scene: sieve curves and prescribed motion give the same bits as in the scene itself; mistakes have their line. */
#include "io/scene/simulation.h"
#include "support/io_files.h"

static const char *sieve_scene(const char *sizes) {
    static char text[1024];
    snprintf(
        text, sizeof text,
        "{\"abut_scene\": 1, \"duration\": 1, \"stepper\": {\"kind\": \"dem\"}, \"bodies\": [{\"name\": \"a\", \"shape\": {\"sphere\": "
        "{\"radius\": 1}}, \"fill\": {\"count\": 50, \"lower\": [0, 0, 0], \"upper\": [9, 9, 9], \"sizes\": {\"by\": \"mass\", %s}}}]}",
        sizes);
    return text;
}

static const char *motion_scene(const char *table) {
    static char text[1024];
    snprintf(text, sizeof text,
             "{\"abut_scene\": 1, \"dt\": 0.01, \"duration\": 1, \"bodies\": [{\"name\": \"a\", \"kind\": \"kinematic\", \"shape\": "
             "{\"sphere\": "
             "{\"radius\": 1}}, \"motion\": [{\"table\": %s}]}]}",
             table);
    return text;
}

static void assert_refused(const char *text, const char *expected) {
    abut_scene *scene = NULL;
    abut_error error = {ABUT_OK, ""};
    assert_status(parse_scene(text, &scene, &error), ABUT_ERROR_FORMAT);
    if (!strstr(error.message, expected)) {
        fail_msg("'%s' does not say '%s'", error.message, expected);
    }
}

static void assert_same_bodies(abut_scene *a, abut_scene *b) {
    assert_int_equal(abut_scene_body_count(a), abut_scene_body_count(b));
    for (int32_t i = 0; i < abut_scene_body_count(a); i++) {
        const abut_body_def *p = abut_scene_body_def(a, i), *q = abut_scene_body_def(b, i);
        abut_mass first, second;
        assert_ok(abut_shape_mass(p->shape, 1.0, &first));
        assert_ok(abut_shape_mass(q->shape, 1.0, &second));
        assert_true(first.mass == second.mass);
        assert_memory_equal(&p->pose, &q->pose, sizeof p->pose);
    }
    abut_scene_destroy(a);
    abut_scene_destroy(b);
}

static void test_sieve_curves(void **state) {
    (void)state;
    static const char *const files[] = {
        "size;passing\n0.25;0\n0.5;0.25\n0.5;0.5\n0.75;1\n",
        "\xef\xbb\xbf"
        "sieve [m]\tpassing\r\n0.25\t0\r\n# the second sample\r\n\r\n0.5 \t 0.25 # twice\r\n0.5\t5e-1\r\n0.75\t1",
        "sieve,%\n0.75,100\n0.5,50\n0.5,25\n0.25,0\n",
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        scratch_text("curve.csv", files[i]);
        abut_scene *from_file = right_scene(sieve_scene("\"curve\": \"curve.csv\""));
        assert_same_bodies(from_file, right_scene(sieve_scene("\"curve\": [[0.25, 0], [0.5, 0.25], [0.5, 0.5], [0.75, 1]]")));
    }
    scratch_text("curve.csv", "2,0\n4,25\n4,50\n6,100\n");
    abut_scene *scaled = right_scene(sieve_scene("\"curve\": \"curve.csv\", \"scale\": 0.125"));
    assert_same_bodies(scaled, right_scene(sieve_scene("\"scale\": 0.5, \"curve\": [[0.5, 0], [1, 0.25], [1, 0.5], [1.5, 1]]")));
}

static void test_wrong_curves(void **state) {
    (void)state;
    static const struct {
        const char *file, *message;
    } cases[] = {
        {"", "curve.csv: the file has no rows of [size, share]"},
        {"size,share\n", "curve.csv: the file has no rows of [size, share]"},
        {"1,0\n2,0.5,3\n3,1\n", "curve.csv:2: a row needs 2 cells, [size, share], between ',', ';' or tabs, but has 3"},
        {"1 0\n2 1\n", "curve.csv:2: a row needs 2 cells"},
        {"1;0\n2;0,5\n3;1\n", "curve.csv:2: column 2: '0,5' is not a finite number"},
        {"1,0\nsize,share\n", "curve.csv:2: column 1: 'size' is not a finite number"},
        {"1,0\n2,nan\n", "curve.csv:2: column 2: 'nan' is not a finite number"},
        {"1,0\n2,\n", "curve.csv:2: column 2: '' is not a finite number"},
        {"1,1\n", "curve.csv:1: a 'curve' needs at least 2 points, but this row is the only one"},
        {"0,0\n2,1\n", "curve.csv:1: a size must be above 0, not 0"},
        {"# two\n1,10\n2,100\n", "curve.csv:2: a 'curve' must begin with the share 0, not 0.1"},
        {"1,0\n2,99\n", "curve.csv:2: a 'curve' must end with the share 1, not 99"},
        {"3,1\n2,0.2\n2.5,0.1\n1,0\n", "curve.csv:2: sizes and shares of a 'curve' must not fall: [2, 0.2] follows [2.5, 0.1]"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scratch_text("curve.csv", cases[i].file);
        assert_refused(sieve_scene("\"curve\": \"curve.csv\""), cases[i].message);
    }
    abut_scene *scene = NULL;
    abut_error error;
    assert_status(parse_scene(sieve_scene("\"curve\": \"missing.csv\""), &scene, &error), ABUT_ERROR_FILE);
    assert_non_null(strstr(error.message, "missing.csv"));
}

/* Places of the body after each step. */
static void run_motion(const char *text, abut_vec3 places[100]) {
    abut_scene *scene = right_scene(text);
    abut_simulation *simulation = NULL;
    assert_ok(abut_simulation_create(scene, &simulation, NULL));
    for (int k = 0; k < 100; k++) {
        abut_body_state body;
        assert_ok(abut_simulation_step(simulation, NULL, NULL));
        assert_ok(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 0), &body));
        places[k] = body.pose.position;
    }
    abut_simulation_destroy(simulation);
    abut_scene_destroy(scene);
}

static void test_motion(void **state) {
    (void)state;
    abut_vec3 array[100], file[100];
    scratch_text("shaker.csv", "t,x,y,z\n0.1,0,0,0\n0.25,1,0,0.5\n0.5,0.25,2,0\n0.75,0,0,0\n");
    run_motion(motion_scene("\"shaker.csv\""), file);
    run_motion(motion_scene("[[0.1, 0, 0, 0], [0.25, 1, 0, 0.5], [0.5, 0.25, 2, 0], [0.75, 0, 0, 0]]"), array);
    assert_memory_equal(file, array, sizeof file);
    assert_true(file[24].x > 0.99 && file[99].x < 1e-12);
    scratch_text("shaker.csv", "t,x,y,z\n0.1,0,0,0\n0.1,1,0,0.5\n");
    assert_refused(motion_scene("\"shaker.csv\""), "shaker.csv:3: times of a 'table' must rise: 0.1 follows 0.1");
    scratch_text("shaker.csv", "t,x\n0.1,0\n");
    assert_refused(motion_scene("\"shaker.csv\""), "shaker.csv:2: a row needs 4 cells, [time, x, y, z],");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sieve_curves),
        cmocka_unit_test(test_wrong_curves),
        cmocka_unit_test(test_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
