/* Bodies of rounded triangles in scenes: all ways to give radii, warnings, and fills. Refusals are in scene_cases.json. */
#include <abut/facetmesh.h>
#include <abut/mesh.h>

#include "support/io_files.h"

#define TETRAHEDRON \
    "\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"triangles\": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]"
#define MESHES ABUT_TEST_SOURCE_DIR "/scenes/meshes/"

/* A scene of one static body of that shape. */
static abut_scene *with_shape(const char *inner) {
    char text[2048];
    snprintf(
        text, sizeof text,
        "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"b\", \"kind\": \"static\", \"shape\": {\"facetmesh\": {%s}}}]}",
        inner);
    return right_scene(text);
}

static double radius_of(const abut_scene *scene, int32_t facet) {
    abut_facet made;
    assert_ok(abut_shape_facet(abut_scene_body_def(scene, 0)->shape, abut_pose_identity(), facet, &made));
    return made.radius;
}

static void test_radii_from_numbers(void **state) {
    (void)state;
    abut_scene *scene = with_shape(TETRAHEDRON ", \"radius\": \"flat\"");
    for (int32_t i = 0; i < 4; i++) {
        assert_true(isinf(radius_of(scene, i)));
    }
    abut_scene_destroy(scene);
    scene = with_shape(TETRAHEDRON ", \"radius\": 2.5");
    for (int32_t i = 0; i < 4; i++) {
        assert_near(radius_of(scene, i), 2.5, 1e-15);
    }
    abut_scene_destroy(scene);
    abut_scene *estimated = with_shape(TETRAHEDRON), *said = with_shape(TETRAHEDRON ", \"radius\": \"estimated\"");
    scene = with_shape(TETRAHEDRON ", \"radii\": [\"flat\", 3, \"estimated\", 4]");
    for (int32_t i = 0; i < 4; i++) {
        assert_true(radius_of(said, i) == radius_of(estimated, i));
    }
    assert_true(isinf(radius_of(scene, 0)));
    assert_near(radius_of(scene, 1), 3.0, 1e-15);
    assert_true(radius_of(scene, 2) == radius_of(estimated, 2));
    assert_near(radius_of(scene, 3), 4.0, 1e-15);
    abut_scene_destroy(estimated);
    abut_scene_destroy(said);
    abut_scene_destroy(scene);
}

static void test_scales(void **state) {
    (void)state;
    abut_scene *scene = with_shape(TETRAHEDRON ", \"radius\": 9, \"scale\": [-2, 1, 0.5]");
    abut_mass mass;
    const abut_shape *shape = abut_scene_body_def(scene, 0)->shape;
    assert_ok(abut_shape_mass(shape, 1.0, &mass));
    assert_near(mass.volume, 1.0 / 6.0, 1e-15);
    assert_near(mass.centre.x, -0.5, 1e-15);
    assert_near(radius_of(scene, 3), 9.0, 1e-15);
    abut_scene_destroy(scene);
}

/* A radius below the circumradius is raised, with a warning. */
static void test_a_warning_of_raised_radii(void **state) {
    (void)state;
    abut_scene *scene = with_shape(TETRAHEDRON ",\n \"radius\": 0.72");
    assert_int_equal(abut_scene_warning_count(scene),
                     1); /* the largest triangle's circle has the radius sqrt(2 / 3) = 0.816, the others' sqrt(1 / 2) */
    const char *wanted = ":2:12: shape of body 'b': the radius of 1 triangles is below their circumradius, which is used instead";
    assert_non_null(strstr(abut_scene_warning(scene, 0), wanted));
    assert_near(radius_of(scene, 3), sqrt(2.0 / 3.0), 1e-12);
    abut_scene_destroy(scene);
}

static void test_radii_of_a_file(void **state) {
    (void)state;
    abut_scene *scene =
        with_shape("\"file\": \"" MESHES "hopper.obj\", \"radius\": \"flat\", \"radii\": {\"outlet\": 0.006, \"rim\": \"estimated\"}");
    int32_t count = abut_shape_facet_count(abut_scene_body_def(scene, 0)->shape), outlet = 0, flat = 0;
    for (int32_t i = 0; i < count; i++) {
        outlet += fabs(radius_of(scene, i) - 0.006) < 1e-15;
        flat += isinf(radius_of(scene, i));
    }
    assert_int_equal(outlet, 4 * 72);
    assert_true(flat >= count - 8 * 72 && flat < count - 4 * 72); /* some triangles of the rim are flat */
    assert_int_equal(abut_scene_warning_count(scene), 0);
    abut_scene_destroy(scene);
    abut_error error = {ABUT_OK, ""};
    scene = NULL;
    const char *text =
        "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"b\", \"shape\": {\"facetmesh\": {\"file\":\n\"" MESHES
        "hopper.obj\", \"radii\": {\"outlets\": 1}}}}]}";
    assert_status(parse_scene(text, &scene, &error), ABUT_ERROR_FORMAT);
    assert_non_null(strstr(error.message, ":2:1: shape of body 'b': "));
    assert_non_null(
        strstr(error.message, "a radius is given for group 'outlets', but no group with faces has that name; did you mean 'outlet'?"));
}

/* Grains of a fill have random rotations, lie inside the region and do not touch: their bounding balls include the rounded surface. */
static void test_fill(void **state) {
    (void)state;
    abut_scene *scene =
        right_scene("{\"abut_scene\": 1, \"duration\": 1, \"stepper\": {\"kind\": \"dem\"}, \"bodies\": [{\"name\": \"pear\", \"shape\": "
                    "{\"facetmesh\": {\"file\": \"" MESHES "pear.obj\"}},\n"
                    " \"fill\": {\"count\": 40, \"lower\": [0, 0, 0], \"upper\": [0.05, 0.05, 0.11]}}]}");
    assert_int_equal(abut_scene_body_count(scene), 40);
    int32_t turned = 0;
    for (int32_t i = 0; i < 40; i++) {
        const abut_body_def *a = abut_scene_body_def(scene, i);
        abut_aabb bounds = abut_shape_bounds(a->shape, a->pose);
        assert_true(bounds.lower.x > -1e-6 && bounds.lower.y > -1e-6 && bounds.lower.z > -1e-6);
        assert_true(bounds.upper.x < 0.05 + 1e-6 && bounds.upper.y < 0.05 + 1e-6 && bounds.upper.z < 0.11 + 1e-6);
        turned += fabs(a->pose.rotation.w) < 0.9;
        assert_ptr_equal(a->shape, abut_scene_body_def(scene, 0)->shape);
        for (int32_t j = 0; j < i; j++) {
            const abut_body_def *b = abut_scene_body_def(scene, j);
            int32_t count = 0;
            assert_ok(abut_collide_facets(&(abut_pair){a->shape, a->pose, b->shape, b->pose}, NULL, 0, &count));
        }
    }
    assert_true(turned > 20);
    abut_scene_destroy(scene);
    /* A ball about the bounds' corners, of radius 9.7 mm, would not fit. */
    scene =
        right_scene("{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"pear\", \"shape\": {\"facetmesh\": {\"file\": \"" MESHES
                    "pear.obj\"}}, \"fill\": {\"count\": 1, \"lower\": [0, 0, 0], \"upper\": [0.0142, 0.0142, 0.0142]}}]}");
    abut_scene_destroy(scene);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_radii_from_numbers), cmocka_unit_test(test_scales), cmocka_unit_test(test_a_warning_of_raised_radii),
        cmocka_unit_test(test_radii_of_a_file),    cmocka_unit_test(test_fill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
