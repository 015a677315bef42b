/* Scenes: every right and wrong input of scene_cases.json, all values of one scene that uses every key, and files that are no scenes. */
#include "support/io_files.h"
#include "io/scene/keys.h"
#include "support/allocator.h"

#include <abut/mesh.h>
#include <jansson.h>
#include <math.h>
#include <unistd.h>

static const double pi = 3.14159265358979323846;

static json_t *load_cases(void) {
    json_error_t mistake;
    json_t *cases = json_load_file(ABUT_TEST_SOURCE_DIR "/test/io/scene/scene_cases.json", JSON_REJECT_DUPLICATES, &mistake);
    if (!cases) {
        fail_msg("scene_cases.json:%d: %s", mistake.line, mistake.text);
    }
    return cases;
}

/* The template of the case with its text in place of the @. */
static char *case_text(const json_t *root, const json_t *item) {
    const char *template =
        json_string_value(json_object_get(json_object_get(root, "templates"), json_string_value(json_object_get(item, "in"))));
    const char *text = json_string_value(json_object_get(item, "text"));
    assert_non_null(template);
    assert_non_null(text);
    const char *mark = strchr(template, '@');
    assert_non_null(mark);
    size_t size = strlen(template) + strlen(text);
    char *joined = malloc(size + 1);
    assert_non_null(joined);
    snprintf(joined, size + 1, "%.*s%s%s", (int)(mark - template), template, text, mark + 1);
    return joined;
}

static bool check_case(const json_t *root, const json_t *item) {
    char *text = case_text(root, item);
    const char *expected = json_string_value(json_object_get(item, "error"));
    const char *status_name = json_string_value(json_object_get(item, "status"));
    abut_scene *scene = NULL;
    abut_error error = {ABUT_OK, ""};
    abut_status status = abut_scene_parse(text, strlen(text), "scene.json", &scene, &error);
    const char *expected_status = status_name ? status_name : expected ? "ABUT_ERROR_FORMAT" : "ABUT_OK";
    bool right = strcmp(abut_status_name(status), expected_status) == 0 &&
                 (expected ? strcmp(error.message, expected) == 0 : scene != NULL) &&
                 (status == ABUT_OK || (scene == NULL && error.status == status));
    if (!right) {
        print_error("%s\n  gives    %s %s\n  expected %s %s\n", text, abut_status_name(status), error.message, expected_status,
                    expected ? expected : "");
    }
    abut_scene_destroy(scene);
    free(text);
    return right;
}

static void test_cases(void **state) {
    (void)state;
    json_t *root = load_cases();
    const json_t *cases = json_object_get(root, "cases");
    assert_true(json_array_size(cases) > 200);
    int wrong = 0;
    for (size_t i = 0; i < json_array_size(cases); i++) {
        wrong += !check_case(root, json_array_get(cases, i));
    }
    assert_int_equal(wrong, 0);
    json_decref(root);
}

/* Every key of the format has a case with a wrong value that is refused. */
static void test_every_key_has_a_wrong_case(void **state) {
    (void)state;
    json_t *root = load_cases();
    const json_t *cases = json_object_get(root, "cases");
    for (int o = 0; o < SCENE_OBJECTS; o++) {
        for (const scene_key *key = scene_key_table[o].keys; key->name; key++) {
            char name[128];
            snprintf(name, sizeof name, "%s.%s", scene_key_table[o].definition, key->name);
            bool found = false;
            for (size_t i = 0; !found && i < json_array_size(cases); i++) {
                const json_t *item = json_array_get(cases, i);
                const char *about = json_string_value(json_object_get(item, "key"));
                found = about && strcmp(about, name) == 0 && json_object_get(item, "error");
            }
            if (!found) {
                print_error("no wrong case for %s\n", name);
            }
            assert_true(found);
        }
    }
    json_decref(root);
}

/* Every key, with a value other than its default. */
static const char full[] =
    "\xef\xbb\xbf{\"$schema\": \"scene.schema.json\", \"abut_scene\": 1, \"title\": \"Full \\u2713\", \"description\": \"all keys\",\n"
    " \"gravity\": [0.5, -1, 2], \"dt\": 0.25, \"duration\": 2.6,\n"
    " \"stepper\": {\"kind\": \"fixed\", \"exact\": true, \"effort\": 6, \"substeps\": 5, \"iterations\": 9, \"contact_frequency\": 31, "
    "\"contact_damping\": 11, "
    "\"max_push_speed\": 4,\n"
    "  \"restitution_speed\": 0.75, \"margin\": 0.03, \"contacts_per_patch\": 6, \"sleeping\": false, \"sleep_speed\": 0.02, "
    "\"sleep_time\": 0.7},\n"
    " \"contact\": {\"method\": \"tracking\", \"feature_angle_degrees\": 3, \"normal\": \"growth\", \"contraction\": \"centroid\", "
    "\"refine_normal\": false},\n"
    " \"materials\": {\"stone\": {\"density\": 2400, \"friction\": 0.75, \"restitution\": 0.125, \"linear_damping\": 0.1, "
    "\"angular_damping\": 0.2}},\n"
    " \"shapes\": {\n"
    "  \"late\": {\"compound\": [{\"shape\": \"ball\", \"position\": [1, 0, 0], \"rotation\": {\"axis\": [0, 0, 2], \"degrees\": 450}},\n"
    "   {\"shape\": {\"compound\": [{\"shape\": {\"box\": {\"half\": [1, 2, 3]}}, \"position\": [0, 1, 0]}]}, \"position\": [0, 0, 5],\n"
    "    \"rotation\": {\"quaternion\": [1, 0, 0, 0]}}]},\n"
    "  \"ball\": {\"sphere\": {\"radius\": 0.5}}, \"pill\": {\"capsule\": {\"radius\": 0.25, \"half_length\": 1.5}},\n"
    "  \"drum\": {\"cylinder\": {\"radius\": 1, \"half_height\": 2, \"sides\": 6}}, \"hat\": {\"cone\": {\"radius\": 1, \"height\": 2, "
    "\"sides\": 5}},\n"
    "  \"ground\": {\"plane\": {\"normal\": [0, 0, 2], \"offset\": -1}},\n"
    "  \"hull\": {\"hull\": {\"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [0.1, 0.1, 0.1]]}},\n"
    "  \"tetra\": {\"polytope\": {\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"faces\": [[0, 2, 1], [0, 1, 3], [0, 3, 2], "
    "[1, 2, 3]]}},\n"
    "  \"mesh\": {\"mesh\": {\"file\": \"full.obj\", \"pieces\": \"compound\", \"hull\": false, \"piece\": \"b\", \"scale\": 2, "
    "\"tolerance\": 1e-5}},\n"
    "  \"surface\": {\"trimesh\": {\"file\": \"full.obj\", \"piece\": \"b\", \"scale\": [-2, 1, 1], \"two_sided\": true}},\n"
    "  \"solid\": {\"trimesh\": {\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"triangles\": [[0, 2, 1], [0, 1, 3], [0, 3, "
    "2], "
    "[1, 2, 3]], \"scale\": 3}},\n"
    "  \"dunes\": {\"heightfield\": {\"heights\": [[0, 1, 2], [3, 5, 4]], \"spacing\": [2, 0.5], \"two_sided\": true}}},\n"
    " \"bodies\": [\n"
    "  {\"name\": \"ground\", \"kind\": \"static\", \"shape\": \"ground\", \"material\": \"stone\"},\n"
    "  {\"name\": \"lift\", \"kind\": \"kinematic\", \"shape\": \"late\", \"velocity\": [0, 0, 1], \"angular_velocity\": [0, 1, 0]},\n"
    "  {\"name\": \"box\", \"kind\": \"dynamic\", \"shape\": {\"box\": {\"half\": [1, 2, 3]}}, \"position\": [1, 2, 3],\n"
    "   \"rotation\": {\"axis\": [0, 0, 1], \"degrees\": 90}, \"velocity\": [4, 5, 6], \"angular_velocity\": [7, 8, 9], \"material\": "
    "\"stone\",\n"
    "   \"mass\": 12, \"friction\": 0.25, \"restitution\": 0.5, \"continuous\": true,\n"
    "   \"category\": [\"crate\", \"cargo\"], \"touches\": [\"default\", \"cargo\"], \"group\": -3, \"sensor\": true},\n"
    "  {\"name\": \"heavy\", \"shape\": \"mesh\", \"density\": 3}],\n"
    " \"actions\": [\n"
    "  {\"at\": 2, \"remove\": \"box\"},\n"
    "  {\"at\": 0.3, \"until\": 1.5, \"spring\": {\"body\": \"box\", \"anchor\": [1, 0, 0], \"target\": [0, 0, 4], \"target_end\": [0, 0, "
    "5],\n"
    "   \"frequency\": 3, \"damping_ratio\": 0.5, \"max_force\": 100}},\n"
    "  {\"at\": 0.25, \"until\": 0.5, \"force\": {\"body\": \"heavy\", \"force\": [0, 0, 9], \"anchor\": [0.5, 0, 0]}},\n"
    "  {\"at\": 0.25, \"velocity\": {\"body\": \"lift\", \"velocity\": [1, 2, 3], \"angular_velocity\": [4, 5, 6]}}]}\n";

static const char two_tetrahedra[] = "o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
                                     "o b\nv 5 0 0\nv 6 0 0\nv 5 1 0\nv 5 0 1\nf -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1\n";

static abut_scene *load_full(void) {
    scratch_text("full.obj", two_tetrahedra);
    return right_scene(full);
}

static void test_settings(void **state) {
    (void)state;
    abut_scene *scene = load_full();
    assert_string_equal(abut_scene_path(scene), scratch_path("scene.json"));
    assert_string_equal(abut_scene_title(scene), "Full \xe2\x9c\x93");
    assert_string_equal(abut_scene_description(scene), "all keys");
    assert_near(abut_scene_dt(scene), 0.25, 0.0);
    assert_int_equal(abut_scene_step_count(scene), 10); /* 10.4 rounded */
    const abut_world_def *world = abut_scene_world_def(scene);
    assert_vec3_near(world->gravity, abut_vec3_make(0.5, -1, 2), 0.0);
    assert_int_equal(world->method, ABUT_METHOD_TRACKING);
    assert_near(world->collide.feature_angle, 3.0 / 180.0 * pi, 1e-15);
    assert_int_equal(world->collide.normal, ABUT_NORMAL_GROWTH);
    assert_int_equal(world->collide.contraction, ABUT_CONTRACTION_CENTROID);
    assert_false(world->collide.refine_normal);
    const abut_fixed_settings *fixed = &world->fixed;
    assert_true(fixed->exact);
    assert_int_equal(fixed->effort, 6);
    assert_int_equal(fixed->substeps, 5);
    assert_int_equal(fixed->iterations, 9);
    assert_near(fixed->contact_frequency, 31, 0.0);
    assert_near(fixed->contact_damping, 11, 0.0);
    assert_near(fixed->max_push_speed, 4, 0.0);
    assert_near(fixed->restitution_speed, 0.75, 0.0);
    assert_near(fixed->margin, 0.03, 0.0);
    assert_int_equal(fixed->contacts_per_patch, 6);
    assert_false(fixed->sleeping);
    assert_near(fixed->sleep_speed, 0.02, 0.0);
    assert_near(fixed->sleep_time, 0.7, 0.0);
    assert_int_equal(abut_scene_warning_count(scene),
                     6); /* the tracking method ignores four settings, and without sleep two have no effect */
    assert_null(abut_scene_warning(scene, 6));
    abut_scene_set_parallel(scene, (abut_parallel){.threads = 3});
    assert_int_equal(abut_scene_world_def(scene)->parallel.threads, 3);
    abut_scene_destroy(scene);
}

static void test_bodies(void **state) {
    (void)state;
    abut_scene *scene = load_full();
    assert_int_equal(abut_scene_body_count(scene), 4);
    static const char *const names[] = {"ground", "lift", "box", "heavy"};
    for (int32_t i = 0; i < 4; i++) {
        assert_string_equal(abut_scene_body_name(scene, i), names[i]);
        assert_int_equal(abut_scene_find_body(scene, names[i]), i);
        assert_int_equal(abut_scene_body_def(scene, i)->user, i);
    }
    const abut_body_def *ground = abut_scene_body_def(scene, 0), *lift = abut_scene_body_def(scene, 1),
                        *box = abut_scene_body_def(scene, 2);
    assert_int_equal(ground->kind, ABUT_BODY_STATIC);
    assert_int_equal(abut_shape_kind(ground->shape), ABUT_SHAPE_PLANE);
    assert_near(abut_shape_plane_offset(ground->shape), -1, 0.0);
    assert_near(ground->friction, 0.75, 0.0);
    assert_int_equal(lift->kind, ABUT_BODY_KINEMATIC);
    assert_vec3_near(lift->motion.linear, abut_vec3_make(0, 0, 1), 0.0);
    assert_vec3_near(lift->motion.angular, abut_vec3_make(0, 1, 0), 0.0);
    assert_near(lift->friction, 0.5, 0.0); /* the default material */
    assert_int_equal(box->kind, ABUT_BODY_DYNAMIC);
    assert_vec3_near(box->pose.position, abut_vec3_make(1, 2, 3), 0.0);
    assert_vec3_near(abut_quat_rotate(box->pose.rotation, abut_vec3_make(1, 0, 0)), abut_vec3_make(0, 1, 0), 1e-15);
    assert_vec3_near(box->motion.linear, abut_vec3_make(4, 5, 6), 0.0);
    assert_vec3_near(box->motion.angular, abut_vec3_make(7, 8, 9), 0.0);
    assert_near(box->mass, 12, 0.0);
    assert_near(box->density, 2400, 0.0);
    assert_near(box->friction, 0.25, 0.0);
    assert_near(box->restitution, 0.5, 0.0);
    assert_true(box->continuous);
    assert_true(box->filter.category == 6 && box->filter.mask == 5 && box->filter.group == -3 && box->sensor);
    assert_true(lift->filter.category == 1 && lift->filter.mask == UINT64_MAX && lift->filter.group == 0);
    assert_near(box->linear_damping, 0.1, 0.0);
    assert_near(box->angular_damping, 0.2, 0.0);
    assert_near(abut_scene_body_def(scene, 3)->density, 3, 0.0);
    abut_scene_destroy(scene);
}

/* A body with a named shape of the full scene. */
static abut_mass mass_of(const char *shape, abut_aabb *bounds) {
    char *text = malloc(sizeof full + 256);
    assert_non_null(text);
    const char *rest = strstr(full, "\"bodies\": [") + strlen("\"bodies\": [");
    snprintf(text, sizeof full + 256, "%.*s{\"name\": \"shown\", \"shape\": \"%s\", \"kind\": \"static\"},%s", (int)(rest - full), full,
             shape, rest);
    abut_scene *scene = right_scene(text);
    abut_mass mass;
    assert_ok(abut_shape_mass(abut_scene_body_def(scene, 0)->shape, 1.0, &mass));
    *bounds = abut_shape_bounds(abut_scene_body_def(scene, 0)->shape, abut_pose_identity());
    abut_scene_destroy(scene);
    free(text);
    return mass;
}

static void test_shapes(void **state) {
    (void)state;
    scratch_text("full.obj", two_tetrahedra);
    abut_aabb bounds;
    assert_near(mass_of("ball", &bounds).volume, pi / 6.0, 1e-14);
    assert_near(mass_of("pill", &bounds).volume, 4.0 / 3.0 * pi / 64.0 + pi / 16.0 * 3.0, 1e-14);
    assert_near(bounds.upper.z, 1.75, 1e-15);
    assert_near(mass_of("drum", &bounds).volume, 0.5 * 6.0 * sin(pi / 3.0) * 4.0, 1e-14);
    assert_near(mass_of("hat", &bounds).volume, 0.5 * 5.0 * sin(0.4 * pi) * 2.0 / 3.0, 1e-14);
    assert_near(mass_of("hull", &bounds).volume, 1.0 / 6.0, 1e-15);
    assert_near(mass_of("tetra", &bounds).volume, 1.0 / 6.0, 1e-15);
    /* Twice as large, so eight times the volume; only piece b. */
    assert_near(mass_of("mesh", &bounds).volume, 8.0 / 6.0, 1e-14);
    assert_near(bounds.lower.x, 10.0, 1e-14);
    /* Mirrored and twice as long along x; still outward. */
    assert_near(mass_of("surface", &bounds).volume, 2.0 / 6.0, 1e-14);
    assert_vec3_near(bounds.lower, abut_vec3_make(-12, 0, 0), 1e-14);
    assert_vec3_near(bounds.upper, abut_vec3_make(-10, 1, 1), 1e-14);
    assert_near(mass_of("solid", &bounds).volume, 27.0 / 6.0, 1e-14);
    /* The box is rotated by half a turn about x and moved up: its middle (0, 1, 0) goes to (0, -1, 5). The ball is next to the origin. */
    abut_mass late = mass_of("late", &bounds);
    assert_near(late.volume, 48.0 + pi / 6.0, 1e-13);
    assert_vec3_near(bounds.lower, abut_vec3_make(-1, -3, -0.5), 1e-14);
    assert_vec3_near(bounds.upper, abut_vec3_make(1.5, 1, 8), 1e-14);
}

/* Rows of heights are along x and follow each other along y. Triangles are numbered as in the mesh. */
static void test_surfaces(void **state) {
    (void)state;
    abut_scene *scene = right_scene(
        "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"dunes\", \"kind\": \"static\", \"shape\": {\"heightfield\": "
        "{\"heights\": [[0, 1, 2], [3, 5, 4]], \"spacing\": [2, 0.5]}}}, {\"name\": \"roof\", \"kind\": \"kinematic\", \"shape\": "
        "{\"trimesh\": {\"vertices\": [[0, 0, 0], [4, 0, 0], [4, 2, 1], [0, 2, 1]], \"triangles\": [[0, 1, 2], [0, 2, 3]], \"scale\": "
        "[1, 1, -1]}}}]}");
    const abut_shape *dunes = abut_scene_body_def(scene, 0)->shape, *roof = abut_scene_body_def(scene, 1)->shape;
    abut_triangle triangle;
    assert_int_equal(abut_shape_triangle_count(dunes), 4);
    assert_ok(abut_shape_triangle(dunes, 2, &triangle));
    assert_vec3_near(triangle.corner[0], abut_vec3_make(2, 0, 1), 0.0);
    assert_vec3_near(triangle.corner[1], abut_vec3_make(4, 0, 2), 0.0);
    assert_vec3_near(triangle.corner[2], abut_vec3_make(4, 0.5, 4), 0.0);
    assert_int_equal(abut_shape_triangle_count(roof), 2);
    assert_ok(abut_shape_triangle(roof, 0, &triangle));
    /* Mirrored, so wound the other way: its outside, above, became below. */
    assert_vec3_near(triangle.corner[1], abut_vec3_make(4, 2, -1), 0.0);
    assert_vec3_near(triangle.corner[2], abut_vec3_make(4, 0, 0), 0.0);
    abut_scene_destroy(scene);
}

static void test_out_of_range_accessors(void **state) {
    (void)state;
    abut_scene *scene = load_full();
    for (int32_t i = -1; i < 5; i += 5) {
        assert_null(abut_scene_body_name(scene, i));
        assert_null(abut_scene_body_def(scene, i));
        assert_null(abut_scene_get_action(scene, i));
    }
    assert_int_equal(abut_scene_find_body(scene, "nobody"), -1);
    assert_int_equal(abut_scene_find_body(scene, NULL), -1);
    abut_scene_destroy(scene);
    abut_scene_destroy(NULL);
}

/* Parsing the normalised text gives the same text, and the same numbers to the last bit. */
static void test_text_round_trip(void **state) {
    (void)state;
    abut_scene *scene = load_full();
    abut_scene *again = right_scene(abut_scene_text(scene));
    assert_string_equal(abut_scene_text(again), abut_scene_text(scene));
    assert_null(strchr(abut_scene_text(scene), '\n'));
    assert_int_equal(abut_scene_body_count(again), abut_scene_body_count(scene));
    for (int32_t i = 0; i < abut_scene_body_count(scene); i++) {
        abut_body_def a = *abut_scene_body_def(scene, i), b = *abut_scene_body_def(again, i);
        assert_memory_equal(&a.pose, &b.pose, sizeof a.pose);
        assert_memory_equal(&a.mass, &b.mass, sizeof a.mass);
    }
    assert_int_equal(abut_scene_action_count(again), abut_scene_action_count(scene));
    for (int32_t i = 0; i < abut_scene_action_count(scene); i++) {
        const abut_scene_action *a = abut_scene_get_action(scene, i), *b = abut_scene_get_action(again, i);
        assert_true(a->kind == b->kind && a->at == b->at && a->until == b->until && a->first_step == b->first_step &&
                    a->max_force == b->max_force);
    }
    abut_scene_destroy(scene);
    abut_scene_destroy(again);
}

static void test_defaults(void **state) {
    (void)state;
    abut_scene *scene =
        right_scene("{\"abut_scene\": 1, \"duration\": 1e-9, \"bodies\": [{\"name\": \"b\", \"shape\": {\"sphere\": {\"radius\": 1}}}]}");
    assert_near(abut_scene_dt(scene), 1.0 / 60.0, 0.0);
    assert_int_equal(abut_scene_step_count(scene), 1);
    assert_int_equal(abut_scene_warning_count(scene), 1);
    assert_non_null(
        strstr(abut_scene_warning(scene, 0), ":1:31: the scene makes one step of 0.0166667, which is longer than its duration of 1e-09"));
    assert_string_equal(abut_scene_title(scene), "");
    assert_string_equal(abut_scene_description(scene), "");
    abut_world_def world = abut_world_def_default();
    assert_vec3_near(abut_scene_world_def(scene)->gravity, world.gravity, 0.0);
    assert_int_equal(abut_scene_world_def(scene)->fixed.substeps, world.fixed.substeps);
    abut_body_def expected = abut_body_def_default();
    const abut_body_def *body = abut_scene_body_def(scene, 0);
    assert_int_equal(body->kind, ABUT_BODY_DYNAMIC);
    assert_near(body->density, expected.density, 0.0);
    assert_near(body->mass, 0.0, 0.0);
    assert_vec3_near(body->pose.position, abut_vec3_make(0, 0, 0), 0.0);
    assert_int_equal(abut_scene_action_count(scene), 0);
    abut_scene_destroy(scene);
}

static abut_world_def world_with_stepper(const char *stepper) {
    char text[512];
    int length = snprintf(text, sizeof text,
                          "{\"abut_scene\": 1, \"duration\": 1, \"stepper\": %s, \"bodies\": [{\"name\": \"b\", \"shape\": {\"sphere\": "
                          "{\"radius\": 1}}}]}",
                          stepper);
    abut_scene *scene = NULL;
    abut_error error = {ABUT_OK, ""};
    if (abut_scene_parse(text, (size_t)length, "stepper.json", &scene, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    abut_world_def def = *abut_scene_world_def(scene);
    abut_scene_destroy(scene);
    return def;
}

static void test_a_scene_chooses_its_stepper(void **state) {
    (void)state;
    assert_int_equal(world_with_stepper("{}").stepper, ABUT_STEPPER_FIXED);
    assert_int_equal(world_with_stepper("{\"kind\": \"fixed\"}").stepper, ABUT_STEPPER_FIXED);
    abut_world_def plain = world_with_stepper("{\"kind\": \"event\"}"), defaults = abut_world_def_default();
    assert_int_equal(plain.stepper, ABUT_STEPPER_EVENT);
    assert_memory_equal(&plain.event.tolerance, &defaults.event.tolerance, 6 * sizeof(double));
    assert_int_equal(plain.event.event_limit, defaults.event.event_limit);
    assert_int_equal(plain.event.impulses, defaults.event.impulses);
    abut_event_settings own = world_with_stepper("{\"kind\": \"event\", \"tolerance\": 1e-7, \"touching\": 1e-5, \"resting_speed\": 2e-5, "
                                                 "\"restitution_speed\": 0, \"drift_rate\": 7, \"longest_step\": 0.125, "
                                                 "\"event_limit\": 99, \"impulses\": \"sequential\", \"friction\": true}")
                                  .event;
    assert_near(own.tolerance, 1e-7, 0.0);
    assert_near(own.touching, 1e-5, 0.0);
    assert_near(own.resting_speed, 2e-5, 0.0);
    assert_near(own.restitution_speed, 0.0, 0.0);
    assert_near(own.drift_rate, 7.0, 0.0);
    assert_near(own.longest_step, 0.125, 0.0);
    assert_int_equal(own.event_limit, 99);
    assert_int_equal(own.impulses, ABUT_IMPULSES_SEQUENTIAL);
    assert_false(plain.event.friction);
    assert_true(own.friction);
}

static void test_a_scene_of_the_dem_stepper(void **state) {
    (void)state;
    abut_world_def plain = world_with_stepper("{\"kind\": \"dem\"}"), defaults = abut_world_def_default();
    assert_int_equal(plain.stepper, ABUT_STEPPER_DEM);
    assert_near(plain.dem.step, 0.0, 0.0);
    assert_near(plain.dem.step_share, defaults.dem.step_share, 0.0);
    assert_near(plain.dem.skin, defaults.dem.skin, 0.0);
    assert_int_equal(plain.dem.mode, ABUT_PRESSURE_AREA);
    assert_false(plain.dem.periodic[0] || plain.dem.periodic[1] || plain.dem.periodic[2]);
    abut_dem_settings own = world_with_stepper("{\"kind\": \"dem\", \"step\": 1e-5, \"skin\": 0.5, \"mode\": \"point\", "
                                               "\"periodic\": {\"x\": [-1, 7], \"z\": [0.5, 9]}}")
                                .dem;
    assert_near(own.step, 1e-5, 0.0);
    assert_near(own.skin, 0.5, 0.0);
    assert_int_equal(own.mode, ABUT_PRESSURE_POINT);
    assert_true(own.periodic[0] && !own.periodic[1] && own.periodic[2]);
    assert_near(own.lower.x, -1.0, 0.0);
    assert_near(own.upper.x, 7.0, 0.0);
    assert_near(own.lower.z, 0.5, 0.0);
    assert_near(own.upper.z, 9.0, 0.0);
    assert_near(world_with_stepper("{\"kind\": \"dem\", \"step_share\": 0.25}").dem.step_share, 0.25, 0.0);

    static const char start[] =
        "{\"abut_scene\": 1, \"duration\": 1, \"stepper\": {\"kind\": \"dem\"}, \"materials\": {\"m\": {\"young\": 3e9, "
        "\"poisson\": 0.45, \"adhesion_work\": 0.05}}, \"bodies\": [{\"name\": \"b\", \"material\": \"m\", \"shape\": "
        "{\"sphere\": {\"radius\": 1}}}]";
    char text[512];
    snprintf(text, sizeof text, "%s}", start);
    abut_scene *scene = right_scene(text);
    const abut_body_def *body = abut_scene_body_def(scene, 0);
    assert_near(body->material.young, 3e9, 0.0);
    assert_near(body->material.poisson, 0.45, 0.0);
    assert_near(body->adhesion_work, 0.05, 0.0);
    assert_null(abut_scene_get_until(scene));
    abut_scene_destroy(scene);
    snprintf(text, sizeof text, "%s, \"until\": {\"kinetic\": 0.5}}", start);
    scene = right_scene(text);
    assert_near(abut_scene_get_until(scene)->residual, 1e-3, 0.0);
    assert_near(abut_scene_get_until(scene)->kinetic, 0.5, 0.0);
    abut_scene_destroy(scene);
    snprintf(text, sizeof text, "%s, \"contact\": {}}", start);
    scene = right_scene(text);
    assert_int_equal(abut_scene_warning_count(scene), 1);
    assert_non_null(strstr(abut_scene_warning(scene, 0), "the dem stepper makes its own contacts"));
    abut_scene_destroy(scene);
}

/* The defaults in the schema are those of the library. */
static void test_schema_defaults(void **state) {
    (void)state;
    json_t *schema = json_load_file(ABUT_TEST_SOURCE_DIR "/docs/formats/scene.schema.json", 0, NULL);
    const json_t *definitions = json_object_get(schema, "$defs");
    abut_fixed_settings fixed = abut_world_def_default().fixed;
    abut_event_settings event = abut_world_def_default().event;
    abut_dem_settings dem = abut_world_def_default().dem;
    abut_body_def body = abut_body_def_default();
    abut_spring_def spring = abut_spring_def_default();
    const struct {
        const char *definition, *key;
        double value;
    } numbers[] = {{"fixed_stepper", "effort", fixed.effort},
                   {"fixed_stepper", "substeps", fixed.substeps},
                   {"fixed_stepper", "iterations", fixed.iterations},
                   {"fixed_stepper", "contact_frequency", fixed.contact_frequency},
                   {"fixed_stepper", "contact_damping", fixed.contact_damping},
                   {"fixed_stepper", "max_push_speed", fixed.max_push_speed},
                   {"fixed_stepper", "restitution_speed", fixed.restitution_speed},
                   {"fixed_stepper", "margin", fixed.margin},
                   {"fixed_stepper", "contacts_per_patch", fixed.contacts_per_patch},
                   {"fixed_stepper", "sleep_speed", fixed.sleep_speed},
                   {"fixed_stepper", "sleep_time", fixed.sleep_time},
                   {"event_stepper", "tolerance", event.tolerance},
                   {"event_stepper", "touching", event.touching},
                   {"event_stepper", "resting_speed", event.resting_speed},
                   {"event_stepper", "restitution_speed", event.restitution_speed},
                   {"event_stepper", "drift_rate", event.drift_rate},
                   {"event_stepper", "event_limit", event.event_limit},
                   {"contact", "feature_angle_degrees", abut_world_def_default().collide.feature_angle / pi * 180.0},
                   {"material", "density", body.density},
                   {"material", "friction", body.friction},
                   {"material", "restitution", body.restitution},
                   {"dem_stepper", "step_share", dem.step_share},
                   {"dem_stepper", "skin", dem.skin},
                   {"until", "residual", 1e-3},
                   {"until", "kinetic", 1e-4},
                   {"material", "young", body.material.young},
                   {"material", "poisson", body.material.poisson},
                   {"material", "adhesion_work", body.adhesion_work},
                   {"material", "contact_stiffness", body.contact_stiffness},
                   {"material", "adhesion_strength", body.adhesion_strength},
                   {"material", "liquid_volume", body.liquid_volume},
                   {"material", "surface_tension", body.surface_tension},
                   {"material", "contact_angle_degrees", body.contact_angle * 180.0 / PI},
                   {"material", "rolling_resistance", body.rolling_resistance},
                   {"material", "twisting_resistance", body.twisting_resistance},
                   {"material", "linear_damping", body.linear_damping},
                   {"material", "angular_damping", body.angular_damping},
                   {"spring", "frequency", spring.frequency},
                   {"spring", "damping_ratio", spring.damping_ratio}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        const json_t *properties = json_object_get(json_object_get(definitions, numbers[i].definition), "properties");
        const json_t *value = json_object_get(json_object_get(properties, numbers[i].key), "default");
        assert_true(json_is_number(value));
        assert_near(json_number_value(value), numbers[i].value, 1e-12 * fabs(numbers[i].value));
    }
    const json_t *stepper = json_object_get(json_object_get(definitions, "fixed_stepper"), "properties");
    assert_int_equal(json_is_true(json_object_get(json_object_get(stepper, "sleeping"), "default")), fixed.sleeping);
    assert_int_equal(json_is_true(json_object_get(json_object_get(stepper, "exact"), "default")), fixed.exact);
    const json_t *impulses = json_object_get(json_object_get(json_object_get(definitions, "event_stepper"), "properties"), "impulses");
    assert_string_equal(json_string_value(json_object_get(impulses, "default")), "simultaneous");
    assert_int_equal(event.impulses, ABUT_IMPULSES_SIMULTANEOUS);
    const json_t *friction = json_object_get(json_object_get(json_object_get(definitions, "event_stepper"), "properties"), "friction");
    assert_int_equal(json_is_true(json_object_get(friction, "default")), event.friction);
    assert_true(isinf(event.longest_step));
    const json_t *contact = json_object_get(json_object_get(definitions, "contact"), "properties");
    assert_int_equal(json_is_true(json_object_get(json_object_get(contact, "refine_normal"), "default")),
                     abut_world_def_default().collide.refine_normal);
    assert_string_equal(json_string_value(json_object_get(json_object_get(contact, "normal"), "default")), "minimum");
    assert_int_equal(abut_world_def_default().collide.normal, ABUT_NORMAL_MINIMUM);
    json_decref(schema);
}

/* Keys of the growth normal are read, and have no effect without it. */
static void test_a_warning_of_unused_keys(void **state) {
    (void)state;
    static const char scene_text[] =
        "{\"abut_scene\": 1, \"duration\": 1, \"contact\": {%s\"contraction\": \"centroid\", \"refine_normal\": false}, \"bodies\": "
        "[{\"name\": \"a\", \"shape\": {\"sphere\": {\"radius\": 1}}}]}";
    static const char *const normals[] = {"", "\"normal\": \"minimum\", ", "\"normal\": \"growth\", "};
    for (int i = 0; i < 3; i++) {
        char text[400];
        snprintf(text, sizeof text, scene_text, normals[i]);
        abut_scene *scene = right_scene(text);
        assert_int_equal(abut_scene_warning_count(scene), i < 2 ? 2 : 0);
        assert_true(i == 2 || strstr(abut_scene_warning(scene, 0), "'contraction' has an effect only with"));
        assert_int_equal(abut_scene_world_def(scene)->collide.normal, i < 2 ? ABUT_NORMAL_MINIMUM : ABUT_NORMAL_GROWTH);
        assert_false(abut_scene_world_def(scene)->collide.refine_normal);
        abut_scene_destroy(scene);
    }
}

/* The contraction point of a shape is read wherever a shape stands; the growing balls of a fill take it along. It has no effect without the growth normal. */
static void test_contraction_points(void **state) {
    (void)state;
    static const char scene_text[] =
        "{\"abut_scene\": 1, \"duration\": 1, \"contact\": {\"normal\": \"%s\"}, \"shapes\": {\"cube\": {\"box\": {\"half\": [1, 1, 1]}, "
        "\"contraction\": [0, 0.5, -0.25]}}, \"bodies\": [{\"name\": \"a\", \"shape\": \"cube\"}, {\"name\": \"b\", \"shape\": "
        "{\"contraction\": [0, 0, 0.5], \"sphere\": {\"radius\": 2}}, \"fill\": {\"count\": 3, \"scale\": [0.5, 0.5], \"lower\": [9, 9, "
        "9], \"upper\": "
        "[30, 30, 30]}}]}";
    char text[600];
    snprintf(text, sizeof text, scene_text, "growth");
    abut_scene *scene = right_scene(text);
    assert_int_equal(abut_scene_warning_count(scene), 0);
    assert_int_equal(abut_scene_body_count(scene), 4);
    for (int32_t i = 0; i < 4; i++) {
        abut_vec3 point;
        assert_true(abut_shape_contraction(abut_scene_body_def(scene, i)->shape, &point));
        assert_near(point.x, 0.0, 0.0);
        assert_near(point.y, i == 0 ? 0.5 : 0.0, 0.0);
        assert_near(point.z, i == 0 ? -0.25 : 0.25, 0.0);
    }
    abut_scene_destroy(scene);
}

/* Eight warnings of points without an effect, and the last one says that there are no more. */
static void test_contraction_points_without_effect(void **state) {
    (void)state;
    char text[4000] =
        "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"a\", \"shape\": {\"sphere\": {\"radius\": 1}}}], \"shapes\": {";
    for (int i = 0; i < 20; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "%s\"s%d\": {\"sphere\": {\"radius\": 1}, \"contraction\": [0, 0, 0]}",
                 i == 0 ? "" : ", ", i);
    }
    strcat(text, "}}");
    abut_scene *scene = right_scene(text);
    assert_int_equal(abut_scene_warning_count(scene), 8);
    assert_non_null(strstr(abut_scene_warning(scene, 0), "'contraction' has an effect only with"));
    assert_null(strstr(abut_scene_warning(scene, 6), "no more"));
    assert_non_null(strstr(abut_scene_warning(scene, 7), "more of the same are not told"));
    abut_scene_destroy(scene);
}

static void assert_refused(const char *path, abut_status expected, const char *part) {
    abut_scene *scene = NULL;
    abut_error error = {ABUT_OK, ""};
    assert_status(abut_scene_load(path, &scene, &error), expected);
    assert_null(scene);
    assert_int_equal(error.status, expected);
    assert_memory_equal(error.message, path, strlen(path));
    if (!strstr(error.message, part)) {
        fail_msg("'%s' is not in '%s'", part, error.message);
    }
}

static void test_files_that_are_no_scenes(void **state) {
    (void)state;
    assert_refused(scratch_path("no-such.json"), ABUT_ERROR_FILE, "No such file");
    assert_refused(ABUT_TEST_SCRATCH_DIR, ABUT_ERROR_FILE, "is a folder");
    assert_refused(scratch_text("empty.json", ""), ABUT_ERROR_FORMAT, "is empty");
    assert_refused(scratch_text("bom.json", "\xef\xbb\xbf"), ABUT_ERROR_FORMAT, "is empty");
    assert_refused(scratch_write("zeros.json", "\0\0\0\0", 4), ABUT_ERROR_FORMAT, ":1:1: the text contains a zero byte");
    assert_refused(scratch_text("latin.json", "{\"title\": \"caf\xe9\"}"), ABUT_ERROR_FORMAT, ":1:15: unable to decode byte 0xe9");
    const char *huge = scratch_text("huge.json", "");
    assert_int_equal(truncate(huge, (off_t)ABUT_SCENE_MAX_BYTES + 1), 0); /* a sparse file */
    assert_refused(huge, ABUT_ERROR_FILE, "larger than the limit of 256 MiB");
    unlink(huge);
}

static void test_null_arguments(void **state) {
    (void)state;
    abut_scene *scene = NULL;
    assert_status(abut_scene_load(NULL, &scene, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_scene_load("x.json", NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_scene_parse(NULL, 0, "x.json", &scene, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_scene_parse("{}", 2, NULL, &scene, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_scene_parse("{}", 2, "x.json", NULL, NULL), ABUT_ERROR_INVALID_ARGUMENT);
    assert_status(abut_scene_parse("{}", 2, "x.json", &scene, NULL), ABUT_ERROR_FORMAT);
    assert_null(scene);
}

/* A scene file in another folder finds its meshes relative to its own folder. */
static void test_meshes_beside_the_scene(void **state) {
    (void)state;
    mkdir(scratch_path("folder"), 0700);
    scratch_text("folder/two.obj", two_tetrahedra);
    const char *path = scratch_text(
        "folder/scene.json",
        "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"b\", \"shape\": {\"mesh\": {\"file\": \"two.obj\"}}}]}");
    abut_scene *scene = NULL;
    abut_error error = {ABUT_OK, ""};
    if (abut_scene_load(path, &scene, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    assert_int_equal(abut_shape_part_count(abut_scene_body_def(scene, 0)->shape), 2);
    abut_scene_destroy(scene);
}

static void assert_nested_refused(const char *text, const char *part) {
    abut_scene *scene = NULL;
    abut_error error = {ABUT_OK, ""};
    assert_status(parse_scene(text, &scene, &error), ABUT_ERROR_FORMAT);
    if (!strstr(error.message, part)) {
        fail_msg("'%s' is not in '%s'", part, error.message);
    }
}

/* Whichever allocation of the library fails, there is no scene, no crash and no leak. */
static void test_out_of_memory(void **state) {
    (void)state;
    scratch_text("full.obj", two_tetrahedra);
    counting_allocator memory;
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_scene *scene = NULL;
        abut_error error = {ABUT_OK, ""};
        abut_status status = parse_scene(full, &scene, &error);
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        assert_int_equal(status == ABUT_OK, scene != NULL);
        abut_scene_destroy(scene);
        counting_allocator_remove();
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 30);
}

static void test_formulas_out_of_memory(void **state) {
    (void)state;
    static const char text[] =
        "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"ring\", \"shape\": {\"parametric\": {\"x\": \"(a + cos(v)) * "
        "cos(u)\", "
        "\"y\": \"(a + cos(v)) * sin(u)\", \"z\": \"sin(v)\", \"parameters\": {\"a\": 2}, \"u\": [0, 6.283185307179586], \"v\": [0, "
        "6.283185307179586], \"u_periodic\": true, \"v_periodic\": true, \"convex\": false}}}]}";
    counting_allocator memory;
    int64_t refused = 0;
    do {
        memory = (counting_allocator){.refuse_at = refused++};
        counting_allocator_install(&memory);
        abut_scene *scene = NULL;
        abut_error error = {ABUT_OK, ""};
        abut_status status = parse_scene(text, &scene, &error);
        assert_status(status, memory.refused ? ABUT_ERROR_OUT_OF_MEMORY : ABUT_OK);
        abut_scene_destroy(scene);
        counting_allocator_remove();
        assert_int_equal(memory.live, 0);
    } while (memory.refused);
    assert_true(refused > 10);
}

/* Files made to exhaust the stack or the memory. */
static void test_bombs(void **state) {
    (void)state;
    enum { SIZE = 4000000 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    memset(text, '[', SIZE);
    text[SIZE - 1] = '\0';
    assert_nested_refused(text, "maximum parsing depth reached");

    int used = snprintf(text, SIZE, "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [], \"shapes\": {");
    for (int i = 0; i < 50000; i++) {
        used += snprintf(text + used, SIZE - (size_t)used, "\"s%d\": {\"compound\": [{\"shape\": \"s%d\"}]}, ", i, i + 1);
    }
    snprintf(text + used, SIZE - (size_t)used, "\"s50000\": {\"sphere\": {\"radius\": 1}}}}");
    assert_nested_refused(text, "nested more than 64 deep");

    used = snprintf(text, SIZE, "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [], \"shapes\": {\"s0\": {\"sphere\": {\"radius\": 1}}");
    for (int i = 0; i < 40; i++) {
        used += snprintf(text + used, SIZE - (size_t)used, ", \"s%d\": {\"compound\": [{\"shape\": \"s%d\"}, {\"shape\": \"s%d\"}]}", i + 1,
                         i, i);
    }
    snprintf(text + used, SIZE - (size_t)used, "}}");
    assert_nested_refused(text, "more than 1048576 parts");
    free(text);
}

/* Mesh files of a scene from standard input are relative to the current folder. */
static void test_standard_input(void **state) {
    (void)state;
    static const char text[] = "{\"abut_scene\": 1, \"duration\": 1, \"bodies\": [{\"name\": \"a\", \"shape\": {\"mesh\": {\"file\": "
                               "\"here.obj\", \"pieces\": \"hull\"}}}]}";
    abut_scene *scene = NULL;
    abut_error error = {ABUT_OK, ""};
    scratch_text("here.obj", two_tetrahedra);
    assert_int_equal(chdir(ABUT_TEST_SCRATCH_DIR), 0);
    assert_non_null(freopen(scratch_text("input.json", text), "rb", stdin));
    if (abut_scene_load("-", &scene, &error)) {
        fail_msg("%s", error.message);
    }
    assert_string_equal(abut_scene_path(scene), "<stdin>");
    assert_int_equal(abut_scene_body_count(scene), 1);
    abut_scene_destroy(scene);
    assert_non_null(freopen(scratch_text("input.json", "{\n 7}"), "rb", stdin));
    assert_status(abut_scene_load("-", &scene, &error), ABUT_ERROR_FORMAT);
    assert_int_equal(strncmp(error.message, "<stdin>:2:", 10), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_every_key_has_a_wrong_case),
        cmocka_unit_test(test_settings),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_shapes),
        cmocka_unit_test(test_out_of_range_accessors),
        cmocka_unit_test(test_text_round_trip),
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_a_scene_chooses_its_stepper),
        cmocka_unit_test(test_a_scene_of_the_dem_stepper),
        cmocka_unit_test(test_schema_defaults),
        cmocka_unit_test(test_files_that_are_no_scenes),
        cmocka_unit_test(test_surfaces),
        cmocka_unit_test(test_null_arguments),
        cmocka_unit_test(test_meshes_beside_the_scene),
        cmocka_unit_test(test_out_of_memory),
        cmocka_unit_test(test_formulas_out_of_memory),
        cmocka_unit_test(test_bombs),
        cmocka_unit_test(test_standard_input),
        cmocka_unit_test(test_a_warning_of_unused_keys),
        cmocka_unit_test(test_contraction_points),
        cmocka_unit_test(test_contraction_points_without_effect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
