/* Open meshes with bodies behind them: a pyramid without its base as a hopper, from a file in millimetres, whose triangles face in or out. */
#include "io/scene/simulation.h"
#include "support/io_files.h"

#include <math.h>

/* Four walls of a funnel with a square hole, 100 mm wide above and 20 mm below, 60 mm high. */
static void write_funnel(const char *name, bool inward) {
    static const double corner[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
    char text[4096];
    int at = snprintf(text, sizeof text, "solid funnel\n");
    for (int i = 0; i < 4; i++) {
        const double *p = corner[i], *q = corner[(i + 1) % 4];
        const double v[4][3] = {
            {50 * p[0], 50 * p[1], 60}, {50 * q[0], 50 * q[1], 60}, {10 * q[0], 10 * q[1], 0}, {10 * p[0], 10 * p[1], 0}};
        static const int triangles[2][3] = {{0, 1, 2}, {0, 2, 3}};
        for (int t = 0; t < 2; t++) {
            at += snprintf(text + at, sizeof text - (size_t)at, "facet normal 0 0 0\nouter loop\n");
            for (int k = 0; k < 3; k++) {
                const double *x = v[triangles[t][inward ? k : 2 - k]];
                at += snprintf(text + at, sizeof text - (size_t)at, "vertex %g %g %g\n", x[0], x[1], x[2]);
            }
            at += snprintf(text + at, sizeof text - (size_t)at, "endloop\nendfacet\n");
        }
    }
    snprintf(text + at, sizeof text - (size_t)at, "endsolid funnel\n");
    scratch_text(name, text);
}

static void make_scene(char *text, size_t size, const char *stepper, const char *file, const char *more, const char *grain) {
    snprintf(
        text, size,
        "{\"abut_scene\": 1, \"dt\": 0.01, \"duration\": 1, \"stepper\": {\"kind\": \"%s\"}, \"materials\": {\"m\": {\"young\": 1e6, "
        "\"friction\": 0}}, \"bodies\": [{\"name\": \"hopper\", \"kind\": \"static\", \"material\": \"m\",\n\"shape\": {\"trimesh\": "
        "{\"file\": \"%s\", \"scale\": 0.001%s}}}, {\"name\": \"plug\", \"kind\": \"static\", \"material\": \"m\", \"shape\": {\"sphere\": "
        "{\"radius\": 0.012}}}, {\"name\": \"g\", \"material\": \"m\", \"shape\": {\"sphere\": {\"radius\": 0.005}}, %s}]}",
        stepper, file, more, grain);
}

#define LIES "\"position\": [0.012, 0.004, 0.04]"
#define COMES "\"inlet\": {\"number_rate\": 20, \"lower\": [-0.02, -0.02, 0.04], \"upper\": [0.022, 0.02, 0.055]}"

static void test_what_is_told(void **state) {
    (void)state;
    write_funnel("in.stl", true);
    write_funnel("out.stl", false);
    const struct {
        const char *stepper, *file, *more, *grain, *told;
    } cases[] = {
        {"dem", "in.stl", "", LIES, NULL},
        {"dem", "out.stl", "", LIES, "begins"},
        {"dem", "out.stl", "", COMES, "comes"},
        {"dem", "in.stl", "", COMES, NULL},
        {"dem", "out.stl", ", \"two_sided\": true", LIES, NULL},
        {"dem", "in.stl", "", "\"position\": [0.06, 0.004, 0.03]", "begins"},
        {"dem", "in.stl", "", "\"position\": [0.004, 0.006, 0.2]", NULL}, /* above the rim */
        {"fixed", "out.stl", "", LIES, NULL},
        {"event", "out.stl", "", LIES, "begins"},
        {"event", "out.stl", ", \"two_sided\": true", LIES, NULL},
        {"event", "in.stl", "", LIES, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[2048], wanted[256];
        make_scene(text, sizeof text, cases[i].stepper, cases[i].file, cases[i].more, cases[i].grain);
        abut_scene *scene = right_scene(text);
        snprintf(wanted, sizeof wanted,
                 ":2:10: body '%s' %s behind the open mesh of body 'hopper', which touches from its front only; add \"two_sided\": true",
                 cases[i].told && strcmp(cases[i].told, "comes") == 0 ? "g.1" : "g", cases[i].told ? cases[i].told : "");
        int told = 0;
        for (int32_t w = 0; w < abut_scene_warning_count(scene); w++) {
            const char *warning = abut_scene_warning(scene, w);
            told += strstr(warning, "behind the open mesh") != NULL;
            if (strstr(warning, "behind the open mesh") && !(cases[i].told && strstr(warning, wanted))) {
                fail_msg("case %zu: %s", i, warning);
            }
        }
        assert_int_equal(told, cases[i].told ? 1 : 0);
        abut_scene_destroy(scene);
    }
}

/* The same funnel without a scale is 100 m wide. Large bodies, and a given scale, are no mistake. */
static void test_millimetres(void **state) {
    (void)state;
    write_funnel("in.stl", true);
    const struct {
        const char *scale;
        double radius;
        bool told;
    } cases[] = {
        {"", 0.005, true}, {"", 0.04, true}, {"", 0.06, false}, {", \"scale\": 1", 0.005, false}, {", \"scale\": 0.001", 0.005, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int named = 0; named < 2; named++) {
            char text[2048], shape[256];
            snprintf(shape, sizeof shape, "{\"trimesh\": {\"file\": \"in.stl\"%s}}", cases[i].scale);
            snprintf(text, sizeof text,
                     "{\"abut_scene\": 1, \"duration\": 1, \"shapes\": {\"walls\": %s}, \"bodies\": [{\"name\": \"hopper\", \"kind\": "
                     "\"static\",\n"
                     "\"shape\": %s}, {\"name\": \"floor\", \"kind\": \"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1]}}}, "
                     "{\"name\": \"g\", "
                     "\"position\": [0, 0, 9], \"shape\": {\"sphere\": {\"radius\": %g}}}]}",
                     shape, named ? "\"walls\"" : shape, cases[i].radius);
            abut_scene *scene = right_scene(text);
            bool told = false;
            for (int32_t w = 0; w < abut_scene_warning_count(scene); w++) {
                told = told || strstr(abut_scene_warning(scene, w), ":2:10: body 'hopper' is 100 long, and the largest body that moves");
            }
            assert_int_equal(told, cases[i].told);
            abut_scene_destroy(scene);
        }
    }
}

/* A ball that slides down a wall without friction, in a hopper as it comes from the drawing: the same with triangles that face in and with two sides. */
static void test_an_open_hopper_holds(void **state) {
    (void)state;
    write_funnel("in.stl", true);
    write_funnel("out.stl", false);
    abut_vec3 ends[2];
    for (int i = 0; i < 2; i++) {
        char text[2048];
        make_scene(text, sizeof text, "dem", i == 0 ? "in.stl" : "out.stl", i == 0 ? "" : ", \"two_sided\": true", LIES);
        abut_scene *scene = right_scene(text);
        abut_simulation *simulation = NULL;
        abut_body_state grain;
        assert_ok(abut_simulation_create(scene, &simulation, NULL));
        double lowest = INFINITY;
        for (int k = 0; k < 60; k++) {
            assert_ok(abut_simulation_step(simulation, NULL, NULL));
            assert_ok(abut_world_body_state(abut_simulation_world(simulation), abut_simulation_body_id(simulation, 2), &grain));
            /* The distance from each wall, whose normal is (-3, 0, 2) / sqrt(13) and so on, through (0.01, 0, 0). */
            double across = fmax(fabs(grain.centre.x), fabs(grain.centre.y));
            assert_true((2.0 * grain.centre.z - 3.0 * (across - 0.01)) / sqrt(13.0) > 0.0045);
            lowest = fmin(lowest, grain.centre.z);
        }
        assert_true(lowest < 0.025 && lowest > 0.005); /* it has slid down, and the plug holds it */
        ends[i] = grain.centre;
        abut_simulation_destroy(simulation);
        abut_scene_destroy(scene);
    }
    assert_vec3_near(ends[0], ends[1], 1e-9);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_what_is_told), cmocka_unit_test(test_millimetres),
                                       cmocka_unit_test(test_an_open_hopper_holds)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
