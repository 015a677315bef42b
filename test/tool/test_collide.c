/* The output of `abut collide --json`, read back, has the bits of the library's answer to the same question. */
#define _XOPEN_SOURCE 700

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <abut/formula.h>
#include <abut/smooth.h>
#include <abut/collide.h>

#include "support/random.h"

enum { CAPACITY = 256 };

static json_t *answer_of(const char *a, const char *b, const char *pose, double margin, const char *options) {
    char command[1024];
    snprintf(command, sizeof command, "\"%s\" collide %s %s --pose %s --margin %.17g %s --json", ABUT_TEST_COMMAND, a, b, pose, margin,
             options);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    json_error_t mistake;
    json_t *answer = json_loadf(pipe, 0, &mistake);
    if (!answer) {
        fail_msg("%s: %s", command, mistake.text);
    }
    assert_int_equal(pclose(pipe), 0);
    return answer;
}

static void assert_real(const json_t *object, const char *key, double expected) {
    double read = json_number_value(json_object_get(object, key));
    assert_memory_equal(&read, &expected, sizeof read);
}

static void assert_vec3(const json_t *object, const char *key, abut_vec3 expected) {
    const json_t *array = json_object_get(object, key);
    abut_vec3 read = {json_number_value(json_array_get(array, 0)), json_number_value(json_array_get(array, 1)),
                      json_number_value(json_array_get(array, 2))};
    assert_int_equal(json_array_size(array), 3);
    assert_memory_equal(&read, &expected, sizeof read);
}

static void assert_feature(const json_t *object, const char *key, abut_feature expected) {
    static const char *const names[] = {"none", "face", "edge", "vertex", "smooth"};
    const json_t *feature = json_object_get(object, key);
    assert_string_equal(json_string_value(json_object_get(feature, "kind")), names[expected.kind]);
    assert_int_equal(json_integer_value(json_object_get(feature, "index")), expected.index);
    assert_int_equal(json_integer_value(json_object_get(feature, "part")), expected.part);
}

static void compare_contact(const json_t *read, const abut_contact *expected) {
    assert_vec3(read, "on_a", expected->on_a);
    assert_vec3(read, "on_b", expected->on_b);
    assert_vec3(read, "normal", expected->normal);
    assert_real(read, "gap", expected->gap);
    assert_real(read, "area", expected->area);
    assert_feature(read, "feature_a", expected->feature_a);
    assert_feature(read, "feature_b", expected->feature_b);
    assert_true(strtoull(json_string_value(json_object_get(read, "id")), NULL, 16) == expected->id);
    assert_int_equal(json_integer_value(json_object_get(read, "patch")), expected->patch);
    assert_int_equal(json_is_true(json_object_get(read, "normal_chosen")), (expected->flags & ABUT_CONTACT_NORMAL_CHOSEN) != 0);
    assert_int_equal(json_is_true(json_object_get(read, "witness")), (expected->flags & ABUT_CONTACT_WITNESS) != 0);
}

static void compare_growth(const json_t *read, const abut_growth *expected) {
    assert_real(read, "alpha", expected->alpha);
    assert_real(read, "alpha_lower", expected->alpha_lower);
    assert_vec3(read, "normal", expected->normal);
    assert_real(read, "gap", expected->gap);
    assert_vec3(read, "touch", expected->touch);
    assert_vec3(read, "on_a", expected->on_a);
    assert_vec3(read, "on_b", expected->on_b);
    assert_vec3(read, "contraction_a", expected->contraction_a);
    assert_vec3(read, "contraction_b", expected->contraction_b);
    assert_int_equal(json_integer_value(json_object_get(read, "iterations")), expected->iterations);
}

/* The shapes behind SHAPES take long to make, and meet two others only. */
enum { SHAPES = 13, ALL_SHAPES = 15 };

/* The shapes as written on the command line, and as created by the library. */
static const char *const texts[ALL_SHAPES] = {
    "box:1,0.7,0.5",
    "sphere:0.8",
    "capsule:0.4,0.6",
    "prism:0.6,0.7",
    "pyramid:0.8,1.2,9",
    "cylinder:1,0.3,5",
    "ellipsoid:0.5,0.7,0.9",
    "superquadric:0.6,0.8,0.7,0.5,1.3",
    "cylinder:0.6,0.7",
    "cone:0.8,1.2",
    "frustum:0.5,0.7,0.9",
    "cone:0.8,1.2,5",
    "plane:0.1,0.2,1,0.3",
    "'implicit:upper=1,1,1:inside=0,0,0.1:a=0.5:(x / a)^2 + y^2 / 0.49 + (z / 0.9)^2 - 1'",
    "'parametric:u=0,1:v=-1.5707963267948966,1.5707963267948966:periodic=u:a=0.5:a * cos(2*pi*u) * "
    "cos(v);0.7 * sin(2*pi*u) * cos(v);0.9 * sin(v)'"};

static abut_status make_implicit(abut_shape **shape) {
    const abut_formula_parameter parameter = {"a", 0.5};
    const abut_implicit_formula_def def = {.formula = "(x / a)^2 + y^2 / 0.49 + (z / 0.9)^2 - 1",
                                           .parameters = &parameter,
                                           .parameter_count = 1,
                                           .bounds = {{-1, -1, -1}, {1, 1, 1}},
                                           .inside = {0, 0, 0.1},
                                           .convex = true};
    return abut_shape_create_implicit_formula(&def, NULL, shape);
}

static abut_status make_parametric(abut_shape **shape) {
    const abut_formula_parameter parameter = {"a", 0.5};
    const abut_parametric_formula_def def = {.x = "a * cos(2*pi*u) * cos(v)",
                                             .y = "0.7 * sin(2*pi*u) * cos(v)",
                                             .z = "0.9 * sin(v)",
                                             .parameters = &parameter,
                                             .parameter_count = 1,
                                             .u_range = {0.0, 1.0},
                                             .v_range = {-1.5707963267948966, 1.5707963267948966},
                                             .u_periodic = true,
                                             .convex = true};
    return abut_shape_create_parametric_formula(&def, NULL, shape);
}

static abut_shape *make_shape(int index) {
    abut_shape *shape = NULL;
    const abut_status results[] = {
        index == 0 ? abut_shape_create_box(abut_vec3_make(1, 0.7, 0.5), &shape) : ABUT_OK,
        index == 1 ? abut_shape_create_sphere(0.8, &shape) : ABUT_OK,
        index == 2 ? abut_shape_create_capsule(0.4, 0.6, &shape) : ABUT_OK,
        index == 3 ? abut_shape_create_prism(0.6, 0.7, 0, &shape) : ABUT_OK,
        index == 4 ? abut_shape_create_pyramid(0.8, 1.2, 9, &shape) : ABUT_OK,
        index == 5 ? abut_shape_create_prism(1, 0.3, 5, &shape) : ABUT_OK,
        index == 6 ? abut_shape_create_ellipsoid(abut_vec3_make(0.5, 0.7, 0.9), &shape) : ABUT_OK,
        index == 7 ? abut_shape_create_superquadric(abut_vec3_make(0.6, 0.8, 0.7), 0.5, 1.3, &shape) : ABUT_OK,
        index == 8 ? abut_shape_create_cylinder(0.6, 0.7, &shape) : ABUT_OK,
        index == 9 ? abut_shape_create_cone(0.8, 1.2, &shape) : ABUT_OK,
        index == 10 ? abut_shape_create_frustum(0.5, 0.7, 0.9, &shape) : ABUT_OK,
        index == 11 ? abut_shape_create_pyramid(0.8, 1.2, 5, &shape) : ABUT_OK,
        index == 12 ? abut_shape_create_plane(abut_vec3_make(0.1, 0.2, 1), 0.3, &shape) : ABUT_OK,
        index == 13 ? make_implicit(&shape) : ABUT_OK,
        index == 14 ? make_parametric(&shape) : ABUT_OK,
    };
    assert_int_equal(results[index], ABUT_OK);
    assert_non_null(shape);
    return shape;
}

/* `options` gives the command these settings. The margin is given separately. */
static int32_t compare(int a, int b, abut_vec3 p, abut_quat q, const abut_collide_settings *settings, const char *options) {
    abut_shape *shape_a = make_shape(a), *shape_b = make_shape(b);
    abut_pose pose = {p, abut_quat_unit(q)};
    abut_contact contacts[CAPACITY];
    int32_t count = 0;
    abut_status status =
        abut_collide(&(abut_pair){shape_a, abut_pose_identity(), shape_b, pose}, settings, NULL, contacts, CAPACITY, &count);
    assert_int_equal(status, ABUT_OK);

    char pose_text[256];
    snprintf(pose_text, sizeof pose_text, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g", p.x, p.y, p.z, q.x, q.y, q.z, q.w);
    json_t *answer = answer_of(texts[a], texts[b], pose_text, settings->margin, options);
    const json_t *read = json_object_get(answer, "contacts");
    assert_int_equal(json_array_size(read), count);
    for (int32_t i = 0; i < count; i++) {
        compare_contact(json_array_get(read, (size_t)i), &contacts[i]);
    }
    abut_growth growth;
    status = abut_growth_distance(&(abut_pair){shape_a, abut_pose_identity(), shape_b, pose}, settings, &growth);
    const json_t *read_growth = json_object_get(answer, "growth");
    if (status == ABUT_OK) {
        compare_growth(read_growth, &growth);
    } else {
        assert_int_equal(status, ABUT_ERROR_UNSUPPORTED_PAIR);
        assert_true(json_is_null(read_growth));
    }
    json_decref(answer);
    abut_shape_release(shape_a);
    abut_shape_release(shape_b);
    return count;
}

static void test_json_is_what_the_library_says(void **state) {
    (void)state;
    random_state random = random_make(random_seed("collide --json", 20240611));
    int32_t total = 0;
    for (int a = 0; a < SHAPES; a++) {
        for (int b = 0; b < SHAPES - 1; b++) { /* the plane is on one side only */
            /* Upright shapes touch with whole faces, rotated shapes mostly in points. */
            abut_quat q = (a + b) % 2 == 0 ? random_rotation(&random) : abut_quat_identity();
            abut_collide_settings settings = abut_collide_settings_default();
            settings.margin = b % 2 == 0 ? 0.0 : 0.25;
            total += compare(a, b, random_vec3(&random, -0.6, 0.6), q, &settings, "");
        }
    }
    assert_true(total > 60);
}

/* All ways to choose the normal of two polytopes. */
static void test_options_choose_the_normal(void **state) {
    (void)state;
    random_state random = random_make(random_seed("collide --normal", 20240612));
    int32_t total = 0;
    for (int choice = 0; choice < 16; choice++) {
        abut_collide_settings settings = abut_collide_settings_default();
        settings.normal = choice & 1 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH;
        settings.baseline.growth = choice & 2 ? ABUT_GROWTH_RAY_CAST : ABUT_GROWTH_EXPANSION;
        settings.refine_normal = !(choice & 4);
        settings.contraction = choice & 8 ? ABUT_CONTRACTION_CENTROID : ABUT_CONTRACTION_CORE;
        char options[120];
        snprintf(options, sizeof options, "--normal %s --method %s %s --contraction %s", choice & 1 ? "minimum" : "growth",
                 choice & 2 ? "ray-cast" : "expansion", choice & 4 ? "--no-refine" : "", choice & 8 ? "centroid" : "core");
        total += compare(0, 3, random_vec3(&random, -0.5, 0.5), random_rotation(&random), &settings, options);
        total += compare(4, 5, random_vec3(&random, -0.3, 0.3), random_rotation(&random), &settings, options);
    }
    assert_true(total > 32);
}

static void test_formulas(void **state) {
    (void)state;
    random_state random = random_make(random_seed("collide formulas", 20240613));
    abut_collide_settings settings = abut_collide_settings_default();
    int32_t total = 0;
    for (int shape = SHAPES; shape < ALL_SHAPES; shape++) {
        total += compare(shape, 0, random_vec3(&random, -0.3, 0.3), random_rotation(&random), &settings, "");
        total += compare(1, shape, random_vec3(&random, -0.3, 0.3), random_rotation(&random), &settings, "");
    }
    assert_int_equal(total, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_json_is_what_the_library_says), cmocka_unit_test(test_formulas),
                                       cmocka_unit_test(test_options_choose_the_normal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
