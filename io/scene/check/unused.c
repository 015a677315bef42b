/*
 * The table of the settings that have no effect. A setting whose value asks for what happens anyway, such as no friction, is not told.
 */
#include "io/scene/check/unused.h"

#include <string.h>

#include "io/scene/data.h"

enum { MOST_WARNINGS = 8 };

/* Where a setting is found. */
typedef enum setting_place { OF_STEPPER, OF_CONTACT, OF_MATERIAL, OF_PAIR, OF_BODY } setting_place;

enum { FIXED = 1 << ABUT_STEPPER_FIXED, EVENT = 1 << ABUT_STEPPER_EVENT, DEM = 1 << ABUT_STEPPER_DEM };

typedef struct unused_setting {
    setting_place of;
    const char *key;
    int steppers;                                              /* those that ignore it */
    bool (*matters)(const abut_scene *scene, const json_t *v); /* whether its value asks for something that does not happen */
    const char *why;
} unused_setting;

static bool always(const abut_scene *scene, const json_t *value) {
    (void)scene;
    (void)value;
    return true;
}

static bool is_positive(const abut_scene *scene, const json_t *value) {
    (void)scene;
    return json_number_value(value) > 0.0;
}

static bool is_true(const abut_scene *scene, const json_t *value) {
    (void)scene;
    return json_is_true(value);
}

static bool is_tracking(const abut_scene *scene, const json_t *value) {
    (void)scene;
    return strcmp(json_string_value(value), "tracking") == 0;
}

static bool with_tracking(const abut_scene *scene, const json_t *value) {
    (void)value;
    return scene->world.method == ABUT_METHOD_TRACKING;
}

/* Without it these keys are told as such (io/scene/world.c). */
static bool with_growth(const abut_scene *scene, const json_t *value) {
    (void)value;
    return scene->world.collide.normal == ABUT_NORMAL_GROWTH;
}

static bool without_sleep(const abut_scene *scene, const json_t *value) {
    (void)value;
    return !scene->world.fixed.sleeping;
}

/* The tracking baseline is always solved exactly. */
static bool with_exact(const abut_scene *scene, const json_t *value) { return scene->world.fixed.exact || with_tracking(scene, value); }

/* The dem stepper needs some damping: see docs/methods/dem.md. */
static bool is_too_soft(const abut_scene *scene, const json_t *value) {
    (void)scene;
    return json_number_value(value) < 0.01;
}

static bool without_friction(const abut_scene *scene, const json_t *value) {
    (void)value;
    return !scene->world.event.friction;
}

static bool is_positive_without_friction(const abut_scene *scene, const json_t *value) {
    return is_positive(scene, value) && !scene->world.event.friction;
}

static const unused_setting settings[] = {
    {OF_MATERIAL, "friction", EVENT, is_positive_without_friction,
     "the event stepper ignores 'friction', if its own key 'friction' is not true"},
    {OF_BODY, "friction", EVENT, is_positive_without_friction,
     "the event stepper ignores 'friction', if its own key 'friction' is not true"},
    {OF_MATERIAL, "rolling_friction", EVENT, is_positive, "the event stepper ignores 'rolling_friction'"},
    {OF_MATERIAL, "spinning_friction", EVENT, is_positive, "the event stepper ignores 'spinning_friction'"},
    {OF_BODY, "rolling_friction", EVENT, is_positive, "the event stepper ignores 'rolling_friction'"},
    {OF_BODY, "spinning_friction", EVENT, is_positive, "the event stepper ignores 'spinning_friction'"},
    {OF_PAIR, "friction", EVENT, without_friction, "the event stepper ignores 'friction', if its own key 'friction' is not true"},
    {OF_PAIR, "rolling_friction", EVENT, always, "the event stepper ignores 'rolling_friction'"},
    {OF_PAIR, "spinning_friction", EVENT, always, "the event stepper ignores 'spinning_friction'"},
    {OF_PAIR, "rolling_resistance", FIXED | EVENT, always, "'rolling_resistance' has an effect only with the dem stepper"},
    {OF_PAIR, "twisting_resistance", FIXED | EVENT, always, "'twisting_resistance' has an effect only with the dem stepper"},
    {OF_PAIR, "restitution", DEM, is_too_soft, "the dem stepper takes 0.01 for a smaller 'restitution' of a pair"},
    {OF_MATERIAL, "restitution", DEM, is_too_soft, "the dem stepper takes 0.01 for a smaller 'restitution' of both bodies"},
    {OF_BODY, "restitution", DEM, is_too_soft, "the dem stepper takes 0.01 for a smaller 'restitution' of both bodies"},
    {OF_BODY, "surface_velocity", EVENT, always, "the event stepper ignores 'surface_velocity'"},
    {OF_BODY, "surface_angular_velocity", EVENT, always, "the event stepper ignores 'surface_angular_velocity'"},
    {OF_BODY, "continuous", EVENT | DEM, is_true, "'continuous' has an effect only with the fixed stepper"},
    {OF_MATERIAL, "young", FIXED | EVENT, always, "'young' has an effect only with the dem stepper"},
    {OF_MATERIAL, "poisson", FIXED | EVENT, always, "'poisson' has an effect only with the dem stepper"},
    {OF_MATERIAL, "adhesion_work", FIXED | EVENT, is_positive, "'adhesion_work' has an effect only with the dem stepper"},
    {OF_MATERIAL, "adhesion_strength", FIXED | EVENT, is_positive, "'adhesion_strength' has an effect only with the dem stepper"},
    {OF_MATERIAL, "contact_stiffness", FIXED | EVENT, is_positive, "'contact_stiffness' has an effect only with the dem stepper"},
    {OF_MATERIAL, "liquid_volume", FIXED | EVENT, is_positive, "'liquid_volume' has an effect only with the dem stepper"},
    {OF_MATERIAL, "surface_tension", FIXED | EVENT, is_positive, "'surface_tension' has an effect only with the dem stepper"},
    {OF_MATERIAL, "contact_angle_degrees", FIXED | EVENT, is_positive, "'contact_angle_degrees' has an effect only with the dem stepper"},
    {OF_MATERIAL, "rolling_resistance", FIXED | EVENT, is_positive, "'rolling_resistance' has an effect only with the dem stepper"},
    {OF_MATERIAL, "twisting_resistance", FIXED | EVENT, is_positive, "'twisting_resistance' has an effect only with the dem stepper"},
    {OF_BODY, "rolling_resistance", FIXED | EVENT, is_positive, "'rolling_resistance' has an effect only with the dem stepper"},
    {OF_BODY, "twisting_resistance", FIXED | EVENT, is_positive, "'twisting_resistance' has an effect only with the dem stepper"},
    {OF_STEPPER, "exact", FIXED, with_tracking, "'exact' has no effect with \"method\": \"tracking\", which is solved exactly"},
    {OF_STEPPER, "effort", FIXED, with_exact, "'effort' has no effect with \"exact\": true or \"method\": \"tracking\""},
    {OF_STEPPER, "sleep_speed", FIXED, without_sleep, "'sleep_speed' has no effect with \"sleeping\": false"},
    {OF_STEPPER, "sleep_time", FIXED, without_sleep, "'sleep_time' has no effect with \"sleeping\": false"},
    {OF_STEPPER, "contacts_per_patch", FIXED, with_tracking, "'contacts_per_patch' has no effect with \"method\": \"tracking\""},
    {OF_CONTACT, "feature_angle_degrees", FIXED, with_tracking, "'feature_angle_degrees' has no effect with \"method\": \"tracking\""},
    {OF_CONTACT, "feature_angle_degrees", EVENT, always,
     "'feature_angle_degrees' has no effect with the event stepper: its contacts are those that touch"},
    {OF_CONTACT, "normal", EVENT, always, "'normal' is that of bodies that overlap, and with the event stepper they do not"},
    {OF_CONTACT, "contraction", EVENT, with_growth, "'contraction' is for bodies that overlap, and with the event stepper they do not"},
    {OF_CONTACT, "refine_normal", EVENT, with_growth, "'refine_normal' is for bodies that overlap, and with the event stepper they do not"},
    {OF_CONTACT, "method", EVENT, is_tracking, "the event stepper always uses whole contact patches and ignores 'method'"},
};

enum { SETTINGS = sizeof settings / sizeof *settings };

typedef struct check {
    scene_reader *reader;
    int32_t told[SETTINGS];
} check;

/* Warns of the settings of one object. */
static abut_status check_object(check *c, const scene_place *object, setting_place of) {
    const abut_scene *scene = c->reader->scene;
    abut_status status = ABUT_OK;
    for (int i = 0; i < SETTINGS && status == ABUT_OK; i++) {
        const unused_setting *setting = &settings[i];
        scene_place place;
        bool here = setting->of == of && (setting->steppers >> scene->world.stepper & 1) && read_member(object, setting->key, &place);
        if (here && setting->matters(scene, place.value) && c->told[i] < MOST_WARNINGS) {
            c->told[i]++;
            status =
                read_warn(c->reader, &place, "%s%s", setting->why, c->told[i] < MOST_WARNINGS ? "" : "; more of the same are not told");
        }
    }
    return status;
}

static abut_status check_member(check *c, const char *key, setting_place of) {
    scene_place place;
    return read_member(&c->reader->root, key, &place) ? check_object(c, &place, of) : ABUT_OK;
}

abut_status scene_check_unused(scene_reader *reader) {
    check c = {.reader = reader};
    abut_status status = check_member(&c, "stepper", OF_STEPPER);
    status = status == ABUT_OK ? check_member(&c, "contact", OF_CONTACT) : status;
    const char *name;
    json_t *value;
    json_object_foreach(reader->materials.value, name, value) {
        scene_place material = {{&reader->materials.step, name, 0}, value};
        status = status == ABUT_OK ? check_object(&c, &material, OF_MATERIAL) : status;
    }
    scene_place pairs;
    for (size_t i = 0; read_member(&reader->root, "material_pairs", &pairs) && i < json_array_size(pairs.value); i++) {
        scene_place pair = read_element(&pairs, i);
        status = status == ABUT_OK ? check_object(&c, &pair, OF_PAIR) : status;
    }
    scene_place bodies;
    read_member(&reader->root, "bodies", &bodies);
    for (size_t i = 0; i < json_array_size(bodies.value) && status == ABUT_OK; i++) {
        scene_place body = read_element(&bodies, i);
        status = check_object(&c, &body, OF_BODY);
    }
    return status;
}
