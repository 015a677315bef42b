/* docs/formats/scenes.md: its examples are scenes, and it names every key. The example of docs/use/formulas.md is a scene. */
#include "io/file/file.h"
#include "support/io_files.h"
#include "io/scene/keys.h"

static const char scenes[] = ABUT_TEST_SOURCE_DIR "/docs/formats/scenes.md";
static const char formulas[] = ABUT_TEST_SOURCE_DIR "/docs/use/formulas.md";

static void read_document(const char *path, char **text) {
    size_t length = 0;
    abut_error error;
    if (file_read(path, 1 << 20, text, &length, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
}

static void check_examples(const char *path, int32_t count) {
    static const char start[] = "```json\n", end[] = "\n```\n";
    char *text = NULL;
    read_document(path, &text);
    int32_t examples = 0;
    for (const char *block = strstr(text, start); block; block = strstr(block, start)) {
        block += strlen(start);
        const char *stop = strstr(block, end);
        assert_non_null(stop);
        abut_scene *scene = NULL;
        abut_error error = {ABUT_OK, ""};
        if (abut_scene_parse(block, (size_t)(stop - block), path, &scene, &error) != ABUT_OK) {
            fail_msg("example %d: %s", examples, error.message);
        }
        assert_int_equal(abut_scene_warning_count(scene), 0);
        abut_scene_destroy(scene);
        examples++;
    }
    assert_int_equal(examples, count);
    free(text);
}

static void test_examples_are_scenes(void **state) {
    (void)state;
    check_examples(scenes, 13);
    check_examples(formulas, 1);
}

static void test_every_key_is_named(void **state) {
    (void)state;
    char *text = NULL;
    read_document(scenes, &text);
    for (int o = 0; o < SCENE_OBJECTS; o++) {
        for (const scene_key *key = scene_key_table[o].keys; key->name; key++) {
            char quoted[64], in_json[64];
            snprintf(quoted, sizeof quoted, "`%s`", key->name);
            snprintf(in_json, sizeof in_json, "\"%s\"", key->name);
            if (!strstr(text, quoted) && !strstr(text, in_json)) {
                fail_msg("'%s' of '%s' is not in docs/formats/scenes.md", key->name, scene_key_table[o].definition);
            }
        }
    }
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples_are_scenes),
        cmocka_unit_test(test_every_key_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
