/* Damaged scenes: after any change of bytes there is a status, a message with a position in the file, and no crash. */
#include "support/io_files.h"
#include "support/random.h"

#include <jansson.h>

enum { SAMPLES = 3000 };

/* A short scene with everything except mesh files. */
static const char right[] =
    "{\"abut_scene\": 1, \"title\": \"caf\xc3\xa9\", \"duration\": 3, \"dt\": 0.1, \"gravity\": [0, 0, -9.81], \"stepper\": {\"substeps\": "
    "2, \"margin\": 0.05},\n"
    " \"contact\": {\"method\": \"patch\", \"refine_normal\": true}, \"materials\": {\"m\": {\"density\": 2e3, \"friction\": 0.5}},\n"
    " \"shapes\": {\"c\": {\"compound\": [{\"shape\": \"b\"}, {\"shape\": {\"cone\": {\"radius\": 1, \"height\": 2, \"sides\": 5}}, "
    "\"position\": [1, 0, 0]}]},\n"
    "  \"b\": {\"box\": {\"half\": [1, 1, 1]}}, \"t\": {\"polytope\": {\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],\n"
    "   \"faces\": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]}}, \"h\": {\"hull\": {\"points\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, "
    "1]]}},\n"
    "  \"s\": {\"trimesh\": {\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0]], \"triangles\": [[0, 1, 2]], \"scale\": [1, -2, 1]}},\n"
    "  \"g\": {\"heightfield\": {\"heights\": [[0, 1], [0.5, 2]], \"spacing\": [1, 2]}}},\n"
    " \"bodies\": [{\"name\": \"f\", \"kind\": \"static\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1]}}}, {\"name\": \"x\", \"shape\": "
    "\"c\", \"material\": \"m\",\n"
    "  \"position\": [0, 0, 3], \"rotation\": {\"axis\": [0, 1, 0], \"degrees\": 30}}, {\"name\": \"y\\u0020\", \"shape\": \"t\", "
    "\"mass\": 3}, {\"name\": \"s\", \"kind\": \"static\", \"shape\": \"g\"}],\n"
    " \"actions\": [{\"at\": 1, \"until\": 2, \"spring\": {\"body\": \"x\", \"target\": [0, 0, 1]}}, {\"at\": 2, \"remove\": \"x\"}]}";

static void check(const char *text, size_t length, int sample, int *accepted) {
    char *exact = malloc(length + 1);
    assert_non_null(exact);
    memcpy(exact, text, length);
    char *fitting = realloc(exact, length > 0 ? length : 1);
    abut_scene *scene = NULL;
    abut_error error = {ABUT_OK, ""};
    abut_status status = abut_scene_parse(fitting, length, "s.json", &scene, &error);
    free(fitting);
    *accepted += status == ABUT_OK;
    int line = 0, column = 0;
    bool placed =
        sscanf(error.message, "s.json:%d:%d: ", &line, &column) == 2 && line >= 1 && line <= 20 && column >= 1 && column <= (int)length + 1;
    bool good = status == ABUT_OK ? scene != NULL : scene == NULL && (placed || length == 0) && status != ABUT_ERROR_INTERNAL;
    if (!good) {
        fail_msg("sample %d: %s '%s' for\n%.*s", sample, abut_status_name(status), error.message, (int)length, text);
    }
    abut_scene_destroy(scene);
}

static void test_bytes(void **state) {
    (void)state;
    random_state random = random_make(random_seed("scene bytes", 13));
    static const char likely[] = "0123456789-+.eE,:[]{}\"\\ \n\tntfu/\x7f\xff\xc3";
    int accepted = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        char text[sizeof right + 8];
        size_t length = sizeof right - 1;
        memcpy(text, right, length);
        int32_t changes = 1 + random_below(&random, 3);
        for (int32_t i = 0; i < changes && length > 0; i++) {
            size_t at = (size_t)random_below(&random, (int32_t)length);
            int32_t kind = random_below(&random, 5);
            if (kind == 0) {
                text[at] = (char)(text[at] ^ 1 << random_below(&random, 8));
            } else if (kind == 1) {
                memmove(text + at + 1, text + at, length - at);
                length++;
            } else if (kind == 2) {
                memmove(text + at, text + at + 1, length - at - 1);
                length--;
            } else {
                text[at] = likely[random_below(&random, (int32_t)sizeof likely - 1)];
            }
        }
        check(text, random_below(&random, 20) == 0 ? (size_t)random_below(&random, (int32_t)length) : length, sample, &accepted);
    }
    assert_true(accepted > 0 && accepted < SAMPLES);
}

static void test_cut_off_anywhere(void **state) {
    (void)state;
    int accepted = 0;
    for (size_t length = 0; length < sizeof right - 1; length++) {
        check(right, length, (int)length, &accepted);
    }
    assert_int_equal(accepted, 0);
}

/* Values of the tree are replaced one at a time, so that the damaged text is still JSON. */
static json_t *some_value(random_state *random) {
    static const double numbers[] = {0, -1, 1e-320, 1e308, -1e308, 0.5, 3, 65536, 1e18};
    switch (random_below(random, 8)) {
    case 0:
        return json_null();
    case 1:
        return json_string(random_below(random, 2) ? "" : "b");
    case 2:
        return json_array();
    case 3:
        return json_object();
    case 4:
        return json_boolean(random_below(random, 2));
    case 5:
        return json_integer((json_int_t)random_next(random));
    default:
        return json_real(numbers[random_below(random, 9)]);
    }
}

static int32_t count_children(const json_t *value) {
    int32_t count = (int32_t)(json_array_size(value) + json_object_size(value));
    for (size_t i = 0; i < json_array_size(value); i++) {
        count += count_children(json_array_get(value, i));
    }
    const char *key;
    json_t *member;
    json_object_foreach((json_t *)value, key, member) { count += count_children(member); }
    return count;
}

/* Replaces or removes the child with this number. */
static void replace_child(json_t *value, int32_t *number, random_state *random) {
    for (size_t i = 0; i < json_array_size(value); i++) {
        if ((*number)-- == 0) {
            if (random_below(random, 3) == 0) {
                json_array_remove(value, i);
            } else {
                json_array_set_new(value, i, some_value(random));
            }
            return;
        }
        replace_child(json_array_get(value, i), number, random);
    }
    const char *key;
    json_t *member;
    json_object_foreach(value, key, member) {
        if ((*number)-- == 0) {
            if (random_below(random, 3) == 0) {
                json_object_del(value, key);
            } else {
                json_object_set_new(value, key, some_value(random));
            }
            return;
        }
        replace_child(member, number, random);
        if (*number < 0) {
            return;
        }
    }
}

static void test_values(void **state) {
    (void)state;
    random_state random = random_make(random_seed("scene values", 17));
    int accepted = 0;
    for (int sample = 0; sample < SAMPLES; sample++) {
        json_t *root = json_loads(right, 0, NULL);
        assert_non_null(root);
        int32_t number = random_below(&random, count_children(root));
        replace_child(root, &number, &random);
        char *text = json_dumps(root, JSON_INDENT(sample % 2 ? 0 : 1) | JSON_COMPACT);
        assert_non_null(text);
        abut_scene *scene = NULL;
        abut_error error = {ABUT_OK, ""};
        abut_status status = abut_scene_parse(text, strlen(text), "s.json", &scene, &error);
        accepted += status == ABUT_OK;
        int line = 0, column = 0;
        bool placed = sscanf(error.message, "s.json:%d:%d: ", &line, &column) == 2;
        if (status == ABUT_OK ? !scene : scene || !placed || status == ABUT_ERROR_INTERNAL) {
            fail_msg("sample %d: %s '%s' for\n%s", sample, abut_status_name(status), error.message, text);
        }
        abut_scene_destroy(scene);
        free(text);
        json_decref(root);
    }
    assert_true(accepted > 0 && accepted < SAMPLES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_cut_off_anywhere),
        cmocka_unit_test(test_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
