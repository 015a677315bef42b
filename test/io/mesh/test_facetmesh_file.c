/* Bodies of rounded triangles from mesh files: groups and radii, mirroring scales, refusals, and the bodies of this project. */
#include <abut/mesh.h>

#include "io/mesh/facetmesh_file.h"
#include "support/mesh_text.h"
#include "support/allocator.h"

#define MESHES ABUT_TEST_SOURCE_DIR "/scenes/meshes/"

static abut_shape *load(const char *path, const abut_facetmesh_options *options, abut_facetmesh_report *report) {
    abut_shape *shape = NULL;
    abut_error error = {ABUT_OK, ""};
    if (abut_facetmesh_load(path, options, report, &shape, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(abut_shape_kind(shape), ABUT_SHAPE_FACETMESH);
    return shape;
}

/* The message is the path and then `part`; outputs are untouched. */
static void assert_refused(const char *path, const abut_facetmesh_options *options, abut_status expected, const char *part) {
    abut_shape *shape = NULL;
    abut_facetmesh_report report = {.culprit = -7};
    abut_error error = {ABUT_OK, ""};
    abut_status status = abut_facetmesh_load(path, options, &report, &shape, &error);
    if (status != expected) {
        fail_msg("%s instead of %s: %s", abut_status_name(status), abut_status_name(expected), error.message);
    }
    assert_null(shape);
    assert_int_equal(report.culprit, -7);
    assert_int_equal(error.status, expected);
    if (strncmp(error.message, path, strlen(path)) != 0 || strstr(error.message, part) == NULL) {
        fail_msg("'%s' is not behind the path in '%s'", part, error.message);
    }
}

/* The unit cube in two groups: top and bottom, and the sides. */
static const char *write_cube(const char *name) {
    mesh_bytes file = {.size = 0};
    for (int v = 0; v < 8; v++) {
        put_text(&file, "v %g %g %g\n", cube_coordinate(v, 0), cube_coordinate(v, 1), cube_coordinate(v, 2));
    }
    for (int level = 1; level >= 0; level--) {
        put_text(&file, "g %s\n", level ? "level" : "sides");
        for (int f = 0; f < 6; f++) {
            const int *c = cube_faces[f];
            bool is_level = cube_coordinate(c[0], 2) == cube_coordinate(c[1], 2) && cube_coordinate(c[1], 2) == cube_coordinate(c[2], 2);
            if (is_level == (level == 1)) {
                put_text(&file, "f %d %d %d %d\n", c[0] + 1, c[1] + 1, c[2] + 1, c[3] + 1);
            }
        }
    }
    return write_buffer(name, &file);
}

static double radius_of(const abut_shape *shape, int32_t facet) {
    abut_facet made;
    assert_ok(abut_shape_facet(shape, abut_pose_identity(), facet, &made));
    return made.radius;
}

/* ---- radii ---- */

static void test_radii_of_groups(void **state) {
    (void)state;
    const char *path = write_cube("facet_cube.obj");
    const abut_group_radius groups[] = {{"sides", 3.0}, {"level", INFINITY}};
    abut_facetmesh_options options = abut_facetmesh_options_default();
    options.groups = groups;
    options.group_count = 2;
    abut_facetmesh_report report;
    abut_shape *shape = load(path, &options, &report);
    assert_int_equal(abut_shape_facet_count(shape), 12);
    assert_int_equal(report.flat_count, 4);
    assert_near(report.volume, 1.0, 1e-12);
    for (int32_t i = 0; i < 12; i++) { /* the top and the bottom come first in the file */
        assert_true(i < 4 ? isinf(radius_of(shape, i)) : fabs(radius_of(shape, i) - 3.0) < 1e-12);
    }
    abut_shape_release(shape);
    /* The radius of a group overrides the radius of all. Estimated radii of a cube are those of the ball through its corners. */
    options.radius = 5.0;
    options.group_count = 1;
    shape = load(path, &options, NULL);
    assert_near(radius_of(shape, 0), 5.0, 1e-12);
    assert_near(radius_of(shape, 4), 3.0, 1e-12);
    abut_shape_release(shape);
    abut_shape *estimated = load(path, NULL, NULL);
    const abut_group_radius mixed[] = {{"sides", 0.0}};
    options.groups = mixed;
    shape = load(path, &options, NULL);
    assert_near(radius_of(shape, 0), 5.0, 1e-12);
    for (int32_t i = 4; i < 12; i++) {
        assert_near(radius_of(shape, i), radius_of(estimated, i), 1e-12);
    }
    abut_shape_release(estimated);
    abut_shape_release(shape);
}

static void test_radii_of_triangles(void **state) {
    (void)state;
    const char *path = write_cube("facet_cube_each.obj");
    double radii[12];
    for (int i = 0; i < 12; i++) {
        radii[i] = i % 3 == 2 ? INFINITY : 2.0 + i;
    }
    abut_facetmesh_options options = abut_facetmesh_options_default();
    options.radii = radii;
    options.radii_count = 12;
    abut_shape *shape = load(path, &options, NULL);
    for (int32_t i = 0; i < 12; i++) {
        assert_true(isinf(radii[i]) ? isinf(radius_of(shape, i)) : fabs(radius_of(shape, i) - radii[i]) < 1e-12);
    }
    abut_shape_release(shape);
    options.radii_count = 11;
    assert_refused(path, &options, ABUT_ERROR_FORMAT, ": radii are given for 11 triangles, but the file has 12");
    options.radii_count = 12;
    radii[3] = 0.1; /* below the circumradius */
    abut_facetmesh_report report;
    shape = load(path, &options, &report);
    assert_int_equal(report.raised_count, 1);
    assert_near(radius_of(shape, 3), sqrt(0.5), 1e-12);
    abut_shape_release(shape);
}

/* The scale alone would turn the body inside out, and it would be refused. */
static void test_scales(void **state) {
    (void)state;
    const char *path = write_cube("facet_cube_scaled.obj");
    const abut_vec3 scales[] = {{2, 3, 4}, {-2, 3, 4}, {-2, -3, 4}, {-2, -3, -4}};
    for (int i = 0; i < 4; i++) {
        abut_facetmesh_options options = abut_facetmesh_options_default();
        options.scale = scales[i];
        options.radius = INFINITY;
        abut_facetmesh_report report;
        abut_shape *shape = load(path, &options, &report);
        assert_near(report.volume, 24.0, 1e-12);
        assert_near(abut_shape_bounds(shape, abut_pose_identity()).lower.x, i == 0 ? 0.0 : -2.0, 1e-12);
        abut_shape_release(shape);
    }
}

/* ---- what is refused ---- */

static void test_refusals(void **state) {
    (void)state;
    const char *path = write_cube("facet_cube_refused.obj");
    abut_facetmesh_options options = abut_facetmesh_options_default();
    options.piece = "sides";
    assert_refused(path, &options, ABUT_ERROR_NOT_CLOSED, ": its surface is not closed: 8 sides are without a partner");
    options.piece = "side";
    assert_refused(path, &options, ABUT_ERROR_FORMAT, ": no group with faces is named 'side'; did you mean 'sides'?");
    options = abut_facetmesh_options_default();
    const abut_group_radius unknown = {"levels", 1.0}, wrong = {"level", -1.0};
    options.groups = &unknown;
    options.group_count = 1;
    assert_refused(path, &options, ABUT_ERROR_FORMAT,
                   ": a radius is given for group 'levels', but no group with faces has that name; did you mean 'level'?");
    options.groups = &wrong;
    assert_refused(path, &options, ABUT_ERROR_INVALID_ARGUMENT, ": radii must be above 0");
    options = abut_facetmesh_options_default();
    options.radius = NAN;
    assert_refused(path, &options, ABUT_ERROR_INVALID_ARGUMENT, ": radii must be above 0");
    options = abut_facetmesh_options_default();
    options.scale.y = 0.0;
    assert_refused(path, &options, ABUT_ERROR_INVALID_ARGUMENT, ": every component of scale");
    options.scale.y = 1e200;
    assert_refused(path, &options, ABUT_ERROR_FORMAT, ": its sizes are outside the range of double precision");
    assert_refused("missing.obj", NULL, ABUT_ERROR_FILE, ": cannot be read");
    mesh_bytes file = {.size = 0};
    put_text(&file, "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_refused(write_buffer("facet_triangle.obj", &file), NULL, ABUT_ERROR_NOT_CLOSED,
                   ": its surface is not closed: it has 1 triangles");
    file.size = 0;
    put_text(&file, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 4 2\nf 1 3 4\nf 2 4 3\n");
    assert_refused(write_buffer("facet_inside_out.obj", &file), NULL, ABUT_ERROR_NOT_OUTWARD, ": its triangles are wound clockwise");
    abut_shape *shape = NULL;
    assert_status(abut_facetmesh_load(NULL, NULL, NULL, &shape, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_facetmesh_load(path, NULL, NULL, NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
}

/* ---- the bodies of scenes/meshes ---- */

static const double grain_volume = 5.2359877559829887e-07; /* of a ball of 10 mm */

static void test_the_ball_is_that_ball(void **state) {
    (void)state;
    abut_facetmesh_report report;
    abut_shape *shape = load(MESHES "grain_ball.obj", NULL, &report);
    assert_int_equal(abut_shape_facet_count(shape), 320);
    assert_int_equal(report.flat_count, 0);
    assert_near(report.least_radius, 0.005, 1e-9); /* coordinates have 13 decimals */
    assert_near(report.greatest_radius, 0.005, 1e-9);
    abut_shape_release(shape);
}

/* Smooth and round everywhere: the neck of the pear is a saddle, but none of its triangles is flat. */
static void test_pear_and_pebble(void **state) {
    (void)state;
    static const char *const paths[] = {MESHES "pear.obj", MESHES "pebble.obj"};
    for (int i = 0; i < 2; i++) {
        abut_facetmesh_report report;
        abut_shape *shape = load(paths[i], NULL, &report);
        print_message("%s: radii from %.3g to %.3g mm\n", paths[i], 1e3 * report.least_radius, 1e3 * report.greatest_radius);
        assert_int_equal(abut_shape_facet_count(shape), 320);
        assert_int_equal(report.flat_count, 0);
        assert_near(report.volume, grain_volume, 1e-6 * grain_volume);
        assert_true(report.least_radius > 0.001 && report.greatest_radius < 0.05);
        abut_shape_release(shape);
    }
}

/* Flat only in its creases. */
static void test_gummy_bear(void **state) {
    (void)state;
    abut_facetmesh_report report;
    abut_shape *shape = load(MESHES "gummy_bear.obj", NULL, &report);
    int32_t count = abut_shape_facet_count(shape);
    print_message("gummy bear: %d triangles, %d of them concave, radii from %.3g mm\n", count, report.concave_count,
                  1e3 * report.least_radius);
    assert_true(count >= 640 && count <= 1280);
    assert_near(report.volume, grain_volume, 1e-6 * grain_volume);
    assert_true(report.concave_count > 20 && report.concave_count < count / 4);
    assert_int_equal(report.flat_count, report.concave_count);
    assert_true(report.least_radius > 0.0004);
    abut_shape_release(shape);
}

static void test_hopper(void **state) {
    (void)state;
    const abut_group_radius groups[] = {{"walls", INFINITY}, {"outlet", 0.006}, {"rim", 0.012}};
    abut_facetmesh_options options = abut_facetmesh_options_default();
    options.groups = groups;
    options.group_count = 3;
    abut_facetmesh_report report;
    abut_shape *shape = load(MESHES "hopper.obj", &options, &report);
    assert_int_equal(abut_shape_facet_count(shape), 1296);
    assert_int_equal(report.flat_count, 1296 - 2 * 4 * 72); /* all but four strips around each lip */
    assert_int_equal(report.raised_count, 0);
    assert_near(report.least_radius, 0.006, 1e-12);
    assert_near(report.greatest_radius, 0.012, 1e-12);
    abut_shape_release(shape);
}

static void test_out_of_memory(void **state) {
    (void)state;
    const char *path = write_cube("facet_cube_memory.obj");
    const abut_group_radius mixed[] = {{"sides", 0.0}};
    abut_facetmesh_options options = abut_facetmesh_options_default();
    options.radius = 2.0;
    options.groups = mixed;
    options.group_count = 1;
    counting_allocator memory = {.refuse_at = -1};
    int64_t refused = 0;
    do { /* memory of the library */
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_shape *shape = NULL;
        abut_error error = {ABUT_OK, ""};
        abut_status status = abut_facetmesh_load(path, &options, NULL, &shape, &error);
        counting_allocator_remove();
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_true((shape == NULL) == memory.refused);
        abut_shape_release(shape);
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_radii_of_groups),
        cmocka_unit_test(test_radii_of_triangles),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_the_ball_is_that_ball),
        cmocka_unit_test(test_pear_and_pebble),
        cmocka_unit_test(test_gummy_bear),
        cmocka_unit_test(test_hopper),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
