/*
 * Settings without effect. The judge is the motion: for every setting of the format and every stepper, a scene is simulated with the setting and without it.
 * Where the final states are equal to the last bit the setting had no effect, and a warning must name it. Where they differ there must be no such warning.
 */
#include "io/scene/keys.h"
#include "io/scene/simulation.h"
#include "support/io_files.h"

#include <jansson.h>

/* ---- scenes in which every setting can have an effect ---- */

#define MATERIALS "\"materials\": {\"m\": {\"restitution\": 0.5, \"friction\": 0.4}}, "
#define FLOOR                                                                                                                             \
    "{\"name\": \"floor\", \"kind\": \"static\", \"material\": \"m\", \"shape\": {\"box\": {\"half\": [9, 9, 1]}}, \"position\": [0, 0, " \
    "-1]}, "
#define FACETS "\"vertices\": [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], \"triangles\": [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]"

/* A body that bounces and tumbles, a drum that rolls, a box that begins in another, one that rests, one that flies through a thin sheet. */
#define BODIES                                                                                                                       \
    "{\"name\": \"brick\", \"material\": \"m\", \"shape\": {\"box\": {\"half\": [0.5, 0.4, 0.3]}}, \"position\": [0, 0, 1], "        \
    "\"velocity\": [2, 0, -2], "                                                                                                     \
    "\"angular_velocity\": [1, 2, 3]}, "                                                                                             \
    "{\"name\": \"drum\", \"material\": \"m\", \"shape\": {\"prism\": {\"radius\": 0.5, \"half_height\": 0.2, \"sides\": 24}}, "     \
    "\"position\": [0, 3, 0.21], "                                                                                                   \
    "\"rotation\": {\"axis\": [1, 0, 0], \"degrees\": 1}, \"velocity\": [1, 0, 0]}, "                                                \
    "{\"name\": \"rest\", \"material\": \"m\", \"shape\": {\"box\": {\"half\": [0.3, 0.3, 0.3]}}, \"position\": [4, 4, 0.3000002], " \
    "\"rotation\": "                                                                                                                 \
    "{\"axis\": [1, 0, 0], \"degrees\": 1e-4}}"
#define SUNK                                                                                                                              \
    ", {\"name\": \"sunk\", \"material\": \"m\", \"shape\": {\"box\": {\"half\": [0.5, 0.5, 0.5]}}, \"position\": [-4, 0, 0.3], "         \
    "\"rotation\": {\"axis\": [1, 1, 0], "                                                                                                \
    "\"degrees\": 20}}, {\"name\": \"in\", \"material\": \"m\", \"shape\": {\"box\": {\"half\": [0.5, 0.5, 0.5]}}, \"position\": [-4.2, " \
    "0.1, 0.8], \"rotation\": "                                                                                                           \
    "{\"axis\": [3, 1, 0], \"degrees\": 50}}"                                                                                             \
    ", {\"name\": \"bar\", \"material\": \"m\", \"shape\": {\"box\": {\"half\": [1.5, 0.2, 0.2]}}, \"position\": [-4, -4, 1.5]}, "        \
    "{\"name\": \"beam\", \"material\": \"m\", \"shape\": {\"box\": {\"half\": [1.5, 0.2, 0.2]}}, \"position\": [-1.03, -4, 1.88]}, "     \
    "{\"name\": \"dart\", \"material\": \"m\", \"shape\": {\"box\": {\"half\": [0.1, 0.1, 0.1]}}, \"position\": [-4, 4, 5], "             \
    "\"velocity\": [60, "                                                                                                                 \
    "0, 0]}, "                                                                                                                            \
    "{\"name\": \"sheet\", \"material\": \"m\", \"shape\": {\"box\": {\"half\": [0.01, 0.3, 0.3]}}, \"position\": [-2.5, 4, 5]}"
#define ACTIONS                                                                                                                       \
    "\"actions\": [{\"at\": 0, \"until\": 1, \"force\": {\"body\": \"brick\", \"force\": [0, 900, 0]}}, {\"at\": 0.1, \"velocity\": " \
    "{\"body\": \"rest\", "                                                                                                           \
    "\"velocity\": [0, 0.1, 0]}}"
#define SPRING ", {\"at\": 0, \"until\": 1, \"spring\": {\"body\": \"drum\", \"target\": [0, 5, 3]}}"

#define SCENE_OF(materials, stepper, contact, bodies, actions) \
    "{\"abut_scene\": 1, \"duration\": 0.75, \"stepper\": " stepper ", " contact materials "\"bodies\": [" bodies "], " actions "]}"
#define SCENE(stepper, contact, bodies, actions) SCENE_OF(MATERIALS, stepper, contact, bodies, actions)

/* Wet, because a volume of liquid matters only with a surface tension, and a contact angle with both. */
#define DEM_MATERIALS \
    "\"materials\": {\"m\": {\"restitution\": 0.5, \"friction\": 0.4, \"liquid_volume\": 1e-3, \"surface_tension\": 100}}, "

#define DEM_BODIES                                                                                                                        \
    "{\"name\": \"floor\", \"kind\": \"static\", \"material\": \"m\", \"shape\": {\"plane\": {\"normal\": [0, 0, 1]}}}, "                 \
    "{\"name\": \"brick\", \"material\": \"m\", \"shape\": {\"facetmesh\": {" FACETS                                                      \
    ", \"radius\": 3}}, \"position\": [0, 0, 0.2], \"velocity\": [2, 0, -2]}, "                                                           \
    "{\"name\": \"drum\", \"material\": \"m\", \"shape\": {\"sphere\": {\"radius\": 0.5}}, \"position\": [0, 3, 0.5], \"velocity\": [1, " \
    "0, 0]}, "                                                                                                                            \
    "{\"name\": \"rest\", \"material\": \"m\", \"shape\": {\"sphere\": {\"radius\": 0.4}}, \"position\": [0.7, 3, 0.5], \"velocity\": "   \
    "[-3, 0, 0]}, "                                                                                                                       \
    "{\"name\": \"east\", \"material\": \"m\", \"shape\": {\"sphere\": {\"radius\": 0.4}}, \"position\": [4, 3, 0.5]}"

typedef struct setup {
    const char *name, *text;
} setup;

static const setup setups[] = {
    {"fixed", SCENE("{\"kind\": \"fixed\"}", "", FLOOR BODIES SUNK, ACTIONS SPRING)},
    {"fixed, growth", SCENE("{\"kind\": \"fixed\"}", "\"contact\": {\"normal\": \"growth\", \"refine_normal\": false}, ", FLOOR BODIES SUNK,
                            ACTIONS SPRING)},
    {"fixed, tracking", SCENE("{\"kind\": \"fixed\"}", "\"contact\": {\"method\": \"tracking\"}, ", FLOOR BODIES SUNK, ACTIONS SPRING)},
    {"fixed, exact", SCENE("{\"kind\": \"fixed\", \"exact\": true}", "", FLOOR BODIES SUNK, ACTIONS SPRING)},
    {"fixed, no sleep", SCENE("{\"kind\": \"fixed\", \"sleeping\": false}", "", FLOOR BODIES SUNK, ACTIONS SPRING)},
    {"event", SCENE("{\"kind\": \"event\"}", "", FLOOR BODIES, ACTIONS SPRING)},
    {"event, friction", SCENE("{\"kind\": \"event\", \"friction\": true}", "", FLOOR BODIES, ACTIONS SPRING)},
    {"event, growth",
     SCENE("{\"kind\": \"event\"}", "\"contact\": {\"normal\": \"growth\", \"refine_normal\": false}, ", FLOOR BODIES, ACTIONS SPRING)},
    {"dem", SCENE_OF(DEM_MATERIALS, "{\"kind\": \"dem\"}", "", DEM_BODIES, ACTIONS)},
};

/* ---- settings ---- */

/* Why a setting is not asked here. */
#define LIMIT "a limit: it matters when it is reached"
#define TIME "changes the time, never the result"
#define PART "a part of the scene, not a setting"
#define BEFORE "refused where it does not belong"

typedef struct setting {
    const char *path;  /* the object's place in the scene, and the key */
    const char *value; /* one that differs from that in the scenes; NULL: not asked, and `why` says so */
    const char *why;   /* with a value: the part of the name of the scenes in which this value differs from the default; NULL: all */
} setting;

static const setting all[] = {
    {"gravity", "[1, 0, -8]", NULL},
    {"dt", "0.015", NULL},
    {"start.time", NULL, "of a recording, which another part of the program reads: test/io/record/test_start.c"},
    {"contact.method", "\"tracking\"", NULL},
    {"contact.feature_angle_degrees", "40", NULL},
    {"contact.normal", "\"growth\"", "event"},
    {"contact.contraction", "\"centroid\"", NULL},
    {"contact.normal", "\"minimum\"", "growth"},
    {"contact.refine_normal", "false", NULL},
    {"contact.refine_normal", "true", "growth"},
    {"contact.feature_angle_degrees", "0", "event"},
    {"stepper.exact", "true", NULL},
    {"stepper.effort", "3", NULL},
    {"stepper.substeps", "3", NULL},
    {"stepper.iterations", "3", NULL},
    {"stepper.contact_frequency", "10", NULL},
    {"stepper.contact_damping", "2", NULL},
    {"stepper.max_push_speed", "0.1", NULL},
    {"stepper.restitution_speed", "0.9", NULL},
    {"stepper.margin", "2", NULL},
    {"stepper.contacts_per_patch", "3", NULL},
    {"stepper.sleeping", "false", NULL},
    {"stepper.sleep_speed", "50", NULL},
    {"stepper.sleep_time", "0", NULL},
    {"stepper.tolerance", "1e-6", NULL},
    {"stepper.touching", "1e-4", NULL},
    {"stepper.resting_speed", "0.02", "event, growth"},
    {"stepper.drift_rate", "3", NULL},
    {"stepper.longest_step", "0.003", NULL},
    {"stepper.event_limit", NULL, LIMIT},
    {"stepper.impulses", "\"sequential\"", NULL},
    {"stepper.friction", "true", NULL},
    {"stepper.step", "2e-5", NULL},
    {"stepper.step_share", "0.05", NULL},
    {"stepper.skin", NULL, TIME},
    {"stepper.mode", "\"point\"", NULL},
    {"stepper.periodic", "{\"x\": [-1.2, 4.4]}", NULL},
    {"materials.m.density", "300", NULL},
    {"materials.m.friction", "0.1", NULL},
    {"materials.m.restitution", "0.9", NULL},
    {"materials.m.rolling_friction", "0.05", "fixed"},
    {"materials.m.rolling_friction", "0.05", "event"},
    {"materials.m.spinning_friction", "0.05", "fixed"},
    {"materials.m.spinning_friction", "0.05", "event"},
    {"materials.m.contact_stiffness", "1e6", NULL},
    {"materials.m.adhesion_strength", "1e5", "fixed"},
    {"materials.m.adhesion_strength", "1e5", "event"},
    {"materials.m.liquid_volume", "1e-9", NULL},
    {"materials.m.surface_tension", "0.07", NULL},
    {"materials.m.contact_angle_degrees", "30", NULL},
    {"materials.m.rolling_resistance", "0.2", NULL},
    {"materials.m.twisting_resistance", "0.2", NULL},
    {"materials.m.young", "3e6", NULL},
    {"materials.m.poisson", "0.1", NULL},
    {"materials.m.adhesion_work", "5", NULL},
    {"materials.m.linear_damping", "0.5", NULL},
    {"materials.m.angular_damping", "0.5", NULL},
    {"material_pairs.0.materials", NULL, PART},
    {"material_pairs.0.friction", "0.1", NULL},
    {"material_pairs.0.restitution", "0.9", NULL},
    {"material_pairs.0.rolling_friction", "0.05", "fixed"},
    {"material_pairs.0.rolling_friction", "0.05", "event"},
    {"material_pairs.0.spinning_friction", "0.05", "fixed"},
    {"material_pairs.0.spinning_friction", "0.05", "event"},
    {"material_pairs.0.rolling_resistance", "0.2", NULL},
    {"material_pairs.0.twisting_resistance", "0.2", NULL},
    {"bodies.1.position", "[0, 0.25, 1]", NULL},
    {"bodies.1.rotation", "{\"axis\": [0, 1, 0], \"degrees\": 30}", NULL},
    {"bodies.1.velocity", "[1, 1, 0]", NULL},
    {"bodies.1.angular_velocity", "[1, 1, 0]", NULL},
    {"bodies.1.density", "200", NULL},
    {"bodies.1.mass", "7", NULL},
    {"bodies.1.mass_centre", "[0.1, 0, 0]", "fixed"},
    {"bodies.1.mass_centre", "[0.1, 0, 0]", "event"},
    {"bodies.1.inertia", NULL, "needs a mass beside it: test/io/scene/test_body.c"},
    {"bodies.1.friction", "0.1", NULL},
    {"bodies.1.restitution", "0.9", NULL},
    {"bodies.1.rolling_friction", "0.05", "fixed"},
    {"bodies.1.rolling_friction", "0.05", "event"},
    {"bodies.1.spinning_friction", "0.05", "fixed"},
    {"bodies.1.spinning_friction", "0.05", "event"},
    {"bodies.1.rolling_resistance", "0.2", NULL},
    {"bodies.1.twisting_resistance", "0.2", NULL},
    {"bodies.1.touches", "[]", NULL},
    {"bodies.1.sensor", "true", NULL},
    {"bodies.1.surfaces", NULL, PART}, /* of compounds and meshes */
    {"bodies.0.surface_velocity", "[0.5, 0, 0]", "fixed"},
    {"bodies.0.surface_velocity", "[0.5, 0, 0]", "event"},
    {"bodies.1.surface_velocity", "[0.5, 0, 0]", "fixed"},
    {"bodies.1.surface_angular_velocity", "[0, 0, 0.5]", "fixed"},
    {"bodies.1.surface_angular_velocity", "[0, 0, 0.5]", "event"},
    {"bodies.1.category", NULL, PART}, /* for the bodies that touch it */
    {"bodies.1.group", NULL, PART},    /* for bodies of the same group */
    {"bodies.1.continuous", "true", "event"},
    {"bodies.1.continuous", "true", "dem"},
    {"bodies.8.continuous", "true", "fixed"}, /* the dart, that goes through the sheet otherwise */
    {"bodies.1.kind", "\"kinematic\"", NULL},
    {"bodies.0.friction", "0.1", NULL},
    {"bodies.0.restitution", "0.9", NULL},
    {"bodies.1.name", NULL, PART},
    {"bodies.1.shape", NULL, PART},
    {"bodies.1.material", NULL, PART},
    {"bodies.1.fill", NULL, PART},
    {"bodies.1.inlet", NULL, PART},
    {"bodies.1.motion", NULL, BEFORE},
    {"bodies.1.servo", NULL, BEFORE},
    {"bodies.1.deform", NULL, BEFORE},
    {"bodies.1.cell", NULL, BEFORE},
    {"actions.0.force.anchor", "[0.1, 0, 0.1]", NULL},
    {"actions.0.force.force", "[0, 0, 300]", NULL},
    {"actions.1.velocity.velocity", "[0, 1, 0]", NULL},
    {"actions.1.velocity.angular_velocity", "[0, 1, 0]", NULL},
    {"actions.2.spring.anchor", "[0.1, 0, 0.1]", NULL},
    {"actions.2.spring.target", "[0, 5, 4]", NULL},
    {"actions.2.spring.target_end", "[0, 5, 4]", NULL},
    {"actions.2.spring.frequency", "1", NULL},
    {"actions.2.spring.damping_ratio", "0.2", NULL},
    {"actions.2.spring.max_force", "20", NULL},
};

static const char *key_of(const setting *s) {
    const char *dot = strrchr(s->path, '.');
    return dot ? dot + 1 : s->path;
}

/* The object that holds the key; objects on the way are made. NULL where the scene has no such place. */
static json_t *owner_of(json_t *root, const char *path) {
    json_t *at = root;
    for (const char *dot = strchr(path, '.'); at && dot; path = dot + 1, dot = strchr(path, '.')) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)(dot - path), path);
        if (json_is_array(at)) {
            at = json_array_get(at, (size_t)atoi(name));
            continue;
        }
        if (strcmp(name, "contact") == 0 && !json_object_get(at, name)) {
            json_object_set_new(at, name, json_object());
        }
        if (strcmp(name, "material_pairs") == 0 && !json_object_get(at, name)) {
            json_object_set_new(at, name, json_pack("[{s:[s,s]}]", "materials", "m", "m"));
        }
        at = json_object_get(at, name);
    }
    return at;
}

/* ---- what a scene does ---- */

static uint64_t final_hash(abut_scene *scene) {
    abut_scene_set_parallel(scene, (abut_parallel){.threads = 1});
    abut_simulation *simulation = NULL;
    abut_error error = {ABUT_OK, ""};
    uint64_t hash = 0;
    if (abut_simulation_create(scene, &simulation, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    while (!abut_simulation_finished(simulation)) {
        if (abut_simulation_step(simulation, NULL, &error) != ABUT_OK) {
            fail_msg("%s", error.message);
        }
    }
    hash = abut_world_hash(abut_simulation_world(simulation));
    abut_simulation_destroy(simulation);
    return hash;
}

static bool is_told(const abut_scene *scene, const char *key) {
    char quoted[80];
    snprintf(quoted, sizeof quoted, "'%s'", key);
    bool told = false;
    for (int32_t w = 0; w < abut_scene_warning_count(scene); w++) {
        int line = 0, column = 0;
        assert_int_equal(sscanf(abut_scene_warning(scene, w), "scene.json:%d:%d: ", &line, &column), 2);
        told = told || strstr(abut_scene_warning(scene, w), quoted) || strstr(abut_scene_warning(scene, w), "ignores 'contact'");
    }
    return told;
}

/* NULL when the stepper has no such key. */
static abut_scene *with_setting(const setup *base, const setting *s, json_t *value) {
    json_t *root = json_loads(base->text, 0, NULL);
    assert_non_null(root);
    json_t *owner = owner_of(root, s->path);
    abut_scene *scene = NULL;
    if (owner && value) {
        json_object_set(owner, key_of(s), value);
        if (strcmp(key_of(s), "kind") == 0) {
            json_object_del(owner, "mass");
        }
    }
    char *text = owner ? json_dumps(root, 0) : NULL;
    abut_error error = {ABUT_OK, ""};
    if (text && abut_scene_parse(text, strlen(text), "scene.json", &scene, &error) != ABUT_OK && !strstr(error.message, "unknown key") &&
        !strstr(error.message, "a force cannot push")) {
        fail_msg("%s: %s: %s", base->name, s->path, error.message);
    }
    free(text);
    json_decref(root);
    return scene;
}

static void test_what_has_no_effect_is_told(void **state) {
    (void)state;
    int wrong = 0, asked = 0, without = 0;
    for (size_t b = 0; b < sizeof setups / sizeof *setups; b++) {
        abut_scene *plain = right_scene(setups[b].text);
        uint64_t before = final_hash(plain);
        abut_scene_destroy(plain);
        for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
            json_t *value = all[i].value ? json_loads(all[i].value, JSON_DECODE_ANY, NULL) : NULL, *now = NULL;
            json_t *root = json_loads(setups[b].text, 0, NULL), *owner = owner_of(root, all[i].path);
            now = owner ? json_object_get(owner, key_of(&all[i])) : NULL;
            bool differs = !json_equal(now, value) && (!all[i].why || strstr(setups[b].name, all[i].why));
            abut_scene *scene = value && differs ? with_setting(&setups[b], &all[i], value) : NULL;
            if (scene) {
                bool effect = final_hash(scene) != before, told = is_told(scene, key_of(&all[i]));
                asked++;
                without += !effect;
                if (effect == told) {
                    print_error("%s: %s: %s, and is %stold\n", setups[b].name, all[i].path, effect ? "has an effect" : "has no effect",
                                told ? "" : "not ");
                    wrong++;
                }
                abut_scene_destroy(scene);
            }
            json_decref(root);
            json_decref(value);
        }
    }
    print_message("%d settings asked, %d without effect\n", asked, without);
    assert_true(asked > 200);
    assert_true(without > 15);
    assert_int_equal(wrong, 0);
}

/* Every key of these objects is in the table above. */
static void test_no_key_is_left_out(void **state) {
    (void)state;
    static const struct {
        scene_object object;
        const char *path;
    } objects[] = {{SCENE_FIXED_STEPPER, "stepper."},       {SCENE_EVENT_STEPPER, "stepper."},
                   {SCENE_DEM_STEPPER, "stepper."},         {SCENE_CONTACT, "contact."},
                   {SCENE_MATERIAL, "materials.m."},        {SCENE_BODY, "bodies.1."},
                   {SCENE_FORCE, "actions.0.force."},       {SCENE_SPRING, "actions.2.spring."},
                   {SCENE_VELOCITY, "actions.1.velocity."}, {SCENE_MATERIAL_PAIR, "material_pairs.0."}};
    for (size_t o = 0; o < sizeof objects / sizeof *objects; o++) {
        for (const scene_key *key = scene_key_table[objects[o].object].keys; key->name; key++) {
            char path[128];
            snprintf(path, sizeof path, "%s%s", objects[o].path, key->name);
            bool found = strcmp(path, "stepper.kind") == 0 || strcmp(key->name, "body") == 0;
            for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
                found = found || strcmp(all[i].path, path) == 0;
            }
            if (!found) {
                fail_msg("%s is not asked", path);
            }
        }
    }
}

/* Values that ask for what happens anyway are not told, and one mistake in a thousand bodies is not told a thousand times. */
static void test_what_is_not_told(void **state) {
    (void)state;
    static const char harmless[] =
        "{\"abut_scene\": 1, \"duration\": 1, \"stepper\": {\"kind\": \"event\"}, \"contact\": {\"method\": \"patch\"}, \"bodies\": "
        "[{\"name\": \"a\", \"friction\": 0, \"shape\": {\"sphere\": {\"radius\": 1}}}]}";
    abut_scene *scene = right_scene(harmless);
    assert_int_equal(abut_scene_warning_count(scene), 0);
    abut_scene_destroy(scene);
    enum { SIZE = 1 << 17 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    int used = snprintf(text, SIZE, "{\"abut_scene\": 1, \"duration\": 1, \"stepper\": {\"kind\": \"event\"}, \"bodies\": [");
    for (int i = 0; i < 1000; i++) {
        used += snprintf(text + used, (size_t)(SIZE - used),
                         "%s\n{\"name\": \"b%d\", \"friction\": 1, \"shape\": {\"sphere\": {\"radius\": 1}}, \"position\": [%d, 0, 0]}",
                         i ? "," : "", i, 3 * i);
    }
    snprintf(text + used, (size_t)(SIZE - used), "]}");
    scene = right_scene(text);
    assert_int_equal(abut_scene_warning_count(scene), 8);
    assert_non_null(
        strstr(abut_scene_warning(scene, 2), "json:4:28: the event stepper ignores 'friction', if its own key 'friction' is not true"));
    assert_non_null(strstr(abut_scene_warning(scene, 7), "; more of the same are not told"));
    abut_scene_destroy(scene);
    free(text);
}

/* The dem stepper damps every contact a little. */
static void test_restitution_that_is_raised(void **state) {
    (void)state;
    static const char scene_text[] =
        "{\"abut_scene\": 1, \"duration\": 1, \"stepper\": {\"kind\": \"dem\"}, \"bodies\": [{\"name\": \"a\", "
        "\"restitution\": %g, \"shape\": {\"sphere\": {\"radius\": 1}}}]}";
    for (int i = 0; i < 3; i++) {
        char text[300];
        snprintf(text, sizeof text, scene_text, 0.005 * i);
        abut_scene *scene = right_scene(text);
        assert_int_equal(abut_scene_warning_count(scene), i < 2);
        abut_scene_destroy(scene);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_key_is_left_out),
        cmocka_unit_test(test_what_is_not_told),
        cmocka_unit_test(test_restitution_that_is_raised),
        cmocka_unit_test(test_what_has_no_effect_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
