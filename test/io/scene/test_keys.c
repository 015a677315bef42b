/* The loader's keys and the published schema's are the same. */
#include "io/scene/keys.h"
#include "support/check.h"

#include <jansson.h>
#include <string.h>

static json_t *load_schema(void) {
    json_error_t mistake;
    json_t *schema = json_load_file(ABUT_TEST_SOURCE_DIR "/docs/formats/scene.schema.json", JSON_REJECT_DUPLICATES, &mistake);
    if (!schema) {
        fail_msg("line %d: %s", mistake.line, mistake.text);
    }
    return schema;
}

static bool requires(const json_t *definition, const char *name) {
    const json_t *required = json_object_get(definition, "required");
    for (size_t i = 0; i < json_array_size(required); i++) {
        if (strcmp(json_string_value(json_array_get(required, i)), name) == 0) {
            return true;
        }
    }
    return false;
}

static void test_every_object_has_the_same_keys(void **state) {
    (void)state;
    json_t *schema = load_schema();
    for (int o = 0; o < SCENE_OBJECTS; o++) {
        const scene_keys *table = &scene_key_table[o];
        const json_t *definition = o == SCENE_SCENE ? schema : json_object_get(json_object_get(schema, "$defs"), table->definition);
        const json_t *properties = json_object_get(definition, "properties");
        if (!properties) {
            fail_msg("the schema has no definition '%s' with properties", table->definition);
        }
        assert_true(json_is_false(json_object_get(definition, "additionalProperties")));
        size_t count = 0;
        for (const scene_key *key = table->keys; key->name; key++, count++) {
            if (!json_object_get(properties, key->name)) {
                fail_msg("'%s' of '%s' is not in the schema", key->name, table->definition);
            }
            if (requires(definition, key->name) != key->required) {
                fail_msg("'%s' of '%s' is required in one of loader and schema only", key->name, table->definition);
            }
        }
        if (count != json_object_size(properties)) {
            fail_msg("'%s' has %zu keys in the loader and %zu in the schema", table->definition, count, json_object_size(properties));
        }
    }
    json_decref(schema);
}

/* Definitions that are not objects with keys of their own. */
static void test_the_schema_defines_nothing_else(void **state) {
    (void)state;
    static const char *const others[] = {"vec3", "points", "name", "shape_reference"};
    json_t *schema = load_schema();
    assert_int_equal(json_object_size(json_object_get(schema, "$defs")), SCENE_OBJECTS - 1 + sizeof others / sizeof others[0]);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        assert_non_null(json_object_get(json_object_get(schema, "$defs"), others[i]));
    }
    json_decref(schema);
}

static void test_every_property_is_described(void **state) {
    (void)state;
    json_t *schema = load_schema();
    for (int o = 0; o < SCENE_OBJECTS; o++) {
        const json_t *definition =
            o == SCENE_SCENE ? schema : json_object_get(json_object_get(schema, "$defs"), scene_key_table[o].definition);
        assert_non_null(json_object_get(definition, "description"));
        const char *name;
        json_t *property;
        json_object_foreach(json_object_get(definition, "properties"), name, property) {
            if (!json_object_get(property, "description") && !json_object_get(property, "$ref")) {
                fail_msg("'%s' of '%s' has no description", name, scene_key_table[o].definition);
            }
        }
    }
    json_decref(schema);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_object_has_the_same_keys),
        cmocka_unit_test(test_the_schema_defines_nothing_else),
        cmocka_unit_test(test_every_property_is_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
