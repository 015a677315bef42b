/* Bodies from the pieces of a mesh: names, poses, masses and velocities. Masses outside the range of double precision. */
#include "support/io_files.h"

#include <abut/query.h>
#include <math.h>

/* Two boxes, 2 x 1 x 1 at x = 0 .. 2 and 1 x 1 x 1 at x = 4 .. 5, groups "long" and "short". */
static void write_boxes(void) {
    char text[4096];
    int used = 0;
    static const double boxes[2][2] = {{0, 2}, {4, 5}};
    static const char *const names[] = {"long", "short"};
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int b = 0; b < 2; b++) {
        used += snprintf(text + used, sizeof text - (size_t)used, "g %s\n", names[b]);
        for (int v = 0; v < 8; v++) {
            used += snprintf(text + used, sizeof text - (size_t)used, "v %g %d %d\n", boxes[b][v & 1], v >> 1 & 1, v >> 2 & 1);
        }
        for (int f = 0; f < 6; f++) {
            used += snprintf(text + used, sizeof text - (size_t)used, "f %d %d %d %d\n", faces[f][0] - 8, faces[f][1] - 8, faces[f][2] - 8,
                             faces[f][3] - 8);
        }
    }
    scratch_text("boxes.obj", text);
}

static abut_scene *scene_with_body(const char *body) {
    char text[2048];
    snprintf(text, sizeof text, "{\"abut_scene\": 1, \"duration\": 1, \"materials\": {\"m\": {\"density\": 2}}, \"bodies\": [%s]}", body);
    return right_scene(text);
}

static void test_pieces_as_bodies(void **state) {
    (void)state;
    write_boxes();
    /* Turned by 90 degrees about z: x becomes y. */
    abut_scene *scene =
        scene_with_body("{\"name\": \"b\", \"shape\": {\"mesh\": {\"file\": \"boxes.obj\", \"pieces\": \"bodies\"}}, \"material\": \"m\", "
                        "\"position\": [10, 20, 30], \"rotation\": {\"axis\": [0, 0, 1], \"degrees\": 90}, "
                        "\"velocity\": [1, 0, 0], \"angular_velocity\": [0, 0, 3]}");
    assert_int_equal(abut_scene_body_count(scene), 2);
    assert_string_equal(abut_scene_body_name(scene, 0), "b.long");
    assert_string_equal(abut_scene_body_name(scene, 1), "b.short");
    const abut_body_def *a = abut_scene_body_def(scene, 0), *b = abut_scene_body_def(scene, 1);
    /* Centroids (1, .5, .5) and (4.5, .5, .5). */
    assert_vec3_near(a->pose.position, abut_vec3_make(10 - 0.5, 20 + 1, 30.5), 1e-14);
    assert_vec3_near(b->pose.position, abut_vec3_make(10 - 0.5, 20 + 4.5, 30.5), 1e-14);
    abut_mass mass;
    assert_ok(abut_shape_mass(a->shape, a->density, &mass));
    assert_near(mass.mass, 4.0, 1e-14);
    assert_vec3_near(mass.centre, abut_vec3_make(0, 0, 0), 1e-15);
    /* They turn about their common centroid, x = (2 * 1 + 1 * 4.5) / 3 in the mesh, which is y in the world. */
    double middle = 6.5 / 3.0;
    assert_vec3_near(a->motion.linear, abut_vec3_make(1 - 3 * (1 - middle), 0, 0), 1e-14);
    assert_vec3_near(b->motion.linear, abut_vec3_make(1 - 3 * (4.5 - middle), 0, 0), 1e-14);
    assert_vec3_near(b->motion.angular, abut_vec3_make(0, 0, 3), 0.0);
    /* Where the pieces are is where they were. */
    abut_aabb bounds = abut_shape_bounds(a->shape, a->pose);
    assert_vec3_near(bounds.lower, abut_vec3_make(9, 20, 30), 1e-13);
    assert_vec3_near(bounds.upper, abut_vec3_make(10, 22, 31), 1e-13);
    abut_scene_destroy(scene);
}

static void test_pieces_share_the_mass(void **state) {
    (void)state;
    write_boxes();
    abut_scene *scene =
        scene_with_body("{\"name\": \"b\", \"shape\": {\"mesh\": {\"file\": \"boxes.obj\", \"pieces\": \"bodies\"}}, \"mass\": 12}");
    assert_near(abut_scene_body_def(scene, 0)->mass, 8.0, 1e-13);
    assert_near(abut_scene_body_def(scene, 1)->mass, 4.0, 1e-13);
    abut_scene_destroy(scene);
}

/* Several bodies may use one named shape of pieces. Names stay unique, and a name may clash with that of a piece. */
static void test_pieces_by_name(void **state) {
    (void)state;
    write_boxes();
    static const char start[] =
        "{\"abut_scene\": 1, \"duration\": 1, \"shapes\": {\"s\": {\"mesh\": {\"file\": \"boxes.obj\", \"pieces\": \"bodies\"}}}, "
        "\"bodies\": [{\"name\": \"p\", \"shape\": \"s\"}, {\"name\": \"q\", \"shape\": \"s\", \"position\": [0, 9, 0]}";
    char text[1024];
    snprintf(text, sizeof text, "%s], \"actions\": [{\"at\": 0, \"remove\": \"q.short\"}]}", start);
    abut_scene *scene = right_scene(text);
    assert_int_equal(abut_scene_body_count(scene), 4);
    assert_ptr_equal(abut_scene_body_def(scene, 0)->shape, abut_scene_body_def(scene, 2)->shape);
    assert_int_equal(abut_scene_get_action(scene, 0)->body, 3);
    abut_scene_destroy(scene);

    abut_error error;
    scene = NULL;
    snprintf(text, sizeof text, "%s,\n{\"name\": \"p.long\", \"shape\": \"s\"},\n{\"name\": \"p\", \"shape\": \"s\"}]}", start);
    assert_status(parse_scene(text, &scene, &error), ABUT_ERROR_FORMAT);
    assert_non_null(strstr(error.message, ":3:10: body 'p.long': another body has the same name"));
    snprintf(text, sizeof text, "%s], \"actions\": [{\"at\": 0, \"remove\": \"q.shrot\"}]}", start);
    assert_status(parse_scene(text, &scene, &error), ABUT_ERROR_FORMAT);
    assert_non_null(strstr(error.message, "unknown body 'q.shrot'; did you mean 'q.short'?"));
    assert_null(scene);
}

static void test_other_uses_of_pieces(void **state) {
    (void)state;
    write_boxes();
    abut_error error;
    abut_scene *scene = NULL;
    assert_status(parse_scene("{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"b\", \"shape\": {\"compound\": [\n"
                              "{\"shape\": {\"mesh\": {\"file\": \"boxes.obj\", \"pieces\": \"bodies\"}}}]}}]}",
                              &scene, &error),
                  ABUT_ERROR_FORMAT);
    assert_non_null(
        strstr(error.message, ":2:11: part 0 of shape of body 'b': a mesh whose pieces are bodies cannot be part of a compound"));

    scene = scene_with_body(
        "{\"name\": \"b\", \"shape\": {\"mesh\": {\"file\": \"boxes.obj\"}}}, {\"name\": \"h\", \"shape\": {\"mesh\": {\"file\": "
        "\"boxes.obj\", \"pieces\": \"hull\"}}}, {\"name\": \"s\", \"shape\": {\"mesh\": {\"file\": \"boxes.obj\", \"piece\": "
        "\"short\"}}}");
    abut_mass mass;
    assert_int_equal(abut_shape_kind(abut_scene_body_def(scene, 0)->shape), ABUT_SHAPE_COMPOUND);
    assert_ok(abut_shape_mass(abut_scene_body_def(scene, 0)->shape, 1.0, &mass));
    assert_near(mass.volume, 3.0, 1e-14);
    assert_ok(abut_shape_mass(abut_scene_body_def(scene, 1)->shape, 1.0, &mass));
    assert_near(mass.volume, 5.0, 1e-13);
    assert_int_equal(abut_shape_kind(abut_scene_body_def(scene, 2)->shape), ABUT_SHAPE_POLYTOPE);
    assert_ok(abut_shape_mass(abut_scene_body_def(scene, 2)->shape, 1.0, &mass));
    assert_vec3_near(mass.centre, abut_vec3_make(4.5, 0.5, 0.5), 1e-14);
    abut_scene_destroy(scene);
}

static void test_a_mistake_in_a_mesh_names_both_places(void **state) {
    (void)state;
    scratch_text("bad.obj", "v 0 0 0\nv 1 0 0\nv 0 nan 0\nf 1 2 3\n");
    abut_error error;
    abut_scene *scene = NULL;
    assert_status(
        parse_scene(
            "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"b\",\n \"shape\": {\"mesh\": {\"file\": \"bad.obj\"}}}]}",
            &scene, &error),
        ABUT_ERROR_FORMAT);
    char expected[2400];
    snprintf(expected, sizeof expected, "%s:2:29: shape of body 'b': %s:3: the vertex is not finite", scratch_path("scene.json"),
             scratch_path("bad.obj"));
    assert_string_equal(error.message, expected);
}

/* The anchor of a spring without one is the centre of mass, wherever the shape's origin is. */
static void test_default_anchor(void **state) {
    (void)state;
    write_boxes();
    abut_scene *scene = right_scene(
        "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"b\", \"shape\": {\"mesh\": {\"file\": \"boxes.obj\"}}}], "
        "\"actions\": [{\"at\": 0, \"until\": 1, \"spring\": {\"body\": \"b\", \"target\": [0, 0, 0]}}]}");
    assert_vec3_near(abut_scene_get_action(scene, 0)->anchor, abut_vec3_make(6.5 / 3.0, 0.5, 0.5), 1e-14);
    abut_scene_destroy(scene);
}

/* Names, places, masses and shared properties. A second fill does not overlap the first. */
static void test_fills(void **state) {
    (void)state;
    abut_scene *scene =
        scene_with_body("{\"name\": \"g\", \"shape\": {\"sphere\": {\"radius\": 0.5}}, \"material\": \"m\", \"velocity\": [0, 0, -1], "
                        "\"fill\": {\"count\": 40, \"lower\": [0, 0, 0], \"upper\": [5, 5, 5], \"scale\": [0.5, 1], \"seed\": 3}}, "
                        "{\"name\": \"h\", \"shape\": {\"sphere\": {\"radius\": 0.4}}, \"mass\": 7, "
                        "\"fill\": {\"count\": 20, \"lower\": [0, 0, 0], \"upper\": [5, 5, 5], \"spacing\": 0.05}}");
    assert_int_equal(abut_scene_body_count(scene), 60);
    assert_string_equal(abut_scene_body_name(scene, 0), "g.1");
    assert_string_equal(abut_scene_body_name(scene, 39), "g.40");
    assert_string_equal(abut_scene_body_name(scene, 40), "h.1");
    assert_int_equal(abut_scene_find_body(scene, "h.20"), 59);
    double least = 1.0, most = 0.0;
    for (int32_t i = 0; i < 60; i++) {
        const abut_body_def *a = abut_scene_body_def(scene, i);
        double radius = abut_shape_radius(a->shape);
        abut_mass mass;
        assert_ok(abut_shape_mass(a->shape, a->density, &mass));
        if (i < 40) {
            least = fmin(least, radius);
            most = fmax(most, radius);
            assert_near(mass.mass, 2.0 * 4.1887902047863905 * radius * radius * radius, 1e-13);
            assert_vec3_near(a->motion.linear, abut_vec3_make(0, 0, -1), 0.0);
        } else {
            assert_near(radius, 0.4, 0.0);
            assert_near(a->mass, 7.0, 0.0);
            assert_ptr_equal(a->shape, abut_scene_body_def(scene, 40)->shape);
        }
        abut_aabb bounds = abut_shape_bounds(a->shape, a->pose);
        assert_true(fmin(bounds.lower.x, fmin(bounds.lower.y, bounds.lower.z)) >= -1e-14);
        assert_true(fmax(bounds.upper.x, fmax(bounds.upper.y, bounds.upper.z)) <= 5.0 + 1e-14);
        for (int32_t k = 0; k < i; k++) {
            const abut_body_def *b = abut_scene_body_def(scene, k);
            double gap = abut_length(abut_sub(a->pose.position, b->pose.position)) - radius - abut_shape_radius(b->shape);
            assert_true(gap >= (i < 40 ? 0.0 : 0.05) * (1.0 - 1e-12));
        }
    }
    assert_true(least >= 0.25 && least < 0.3 && most <= 0.5 && most > 0.45);
    abut_scene_destroy(scene);
}

/* Bodies of other shapes do not overlap in any rotation, also when their middle is not their origin. */
static void test_fills_of_other_shapes(void **state) {
    (void)state;
    static const char start[] = "{\"name\": \"s\", \"shape\": {\"hull\": {\"points\": [[1, 1, 1], [2, 1, 1], [1, 1.5, 1], [1, 1, 2.5]]}}, ",
                      fill[] = "\"fill\": {\"count\": 30, \"lower\": [0, 0, 0], \"upper\": [9, 9, 9]}}";
    char body[512];
    for (int given = 0; given < 2; given++) {
        snprintf(body, sizeof body, "%s%s%s", start, given ? "\"rotation\": {\"axis\": [0, 0, 1], \"degrees\": 90}, " : "", fill);
        abut_scene *scene = scene_with_body(body);
        assert_int_equal(abut_scene_body_count(scene), 30);
        for (int32_t i = 0; i < 30; i++) {
            const abut_body_def *a = abut_scene_body_def(scene, i);
            abut_aabb bounds = abut_shape_bounds(a->shape, a->pose);
            assert_true(fmin(bounds.lower.x, fmin(bounds.lower.y, bounds.lower.z)) >= -1e-13);
            assert_true(fmax(bounds.upper.x, fmax(bounds.upper.y, bounds.upper.z)) <= 9.0 + 1e-13);
            assert_true(!given || fabs(a->pose.rotation.z - sqrt(0.5)) < 1e-15);
            for (int32_t k = 0; k < i; k++) {
                const abut_body_def *b = abut_scene_body_def(scene, k);
                bool overlap = true;
                assert_ok(abut_overlap(&(abut_pair){a->shape, a->pose, b->shape, b->pose}, NULL, &overlap));
                assert_false(overlap);
                assert_true(given || fabs(a->pose.rotation.w - b->pose.rotation.w) > 0.0);
            }
        }
        abut_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_as_bodies),
        cmocka_unit_test(test_pieces_share_the_mass),
        cmocka_unit_test(test_pieces_by_name),
        cmocka_unit_test(test_other_uses_of_pieces),
        cmocka_unit_test(test_fills),
        cmocka_unit_test(test_fills_of_other_shapes),
        cmocka_unit_test(test_default_anchor),
        cmocka_unit_test(test_a_mistake_in_a_mesh_names_both_places),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
