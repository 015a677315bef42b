/*
 * Reads the settings of a scene: its times, gravity, stepper and contact method.
 */
#include "io/scene/world.h"

#include <math.h>
#include <string.h>

#include "io/scene/data.h"
#include "io/scene/dem.h"

static const double pi = 3.14159265358979323846;

enum { MOST_STEPS = 1000000000, MOST_PASSES = 1000000 };

/* Read first: a later version may have other keys. */
static abut_status read_version(const scene_reader *reader) {
    scene_place version;
    int32_t number = 0;
    if (!json_is_object(reader->root.value)) {
        return read_fail(reader, &reader->root, "a scene must be an object, not %s", read_type_name(reader->root.value));
    }
    if (!read_member(&reader->root, "abut_scene", &version)) {
        return read_fail(reader, &reader->root, "missing key 'abut_scene' in the scene: the format version, 1");
    }
    abut_status status = read_integer_at(reader, &version, "abut_scene", 1, INT32_MAX, &number);
    if (status == ABUT_OK && number != 1) {
        status = read_fail(reader, &version, "format version %d is unknown; this is abut %s, which reads format version 1", number,
                           abut_version());
    }
    return status;
}

static abut_status copy_string(const scene_reader *reader, const char *key, char **out) {
    const char *string = "";
    abut_status status = read_string(reader, &reader->root, key, &string);
    if (status != ABUT_OK) {
        return status;
    }
    *out = strdup(string);
    return *out ? ABUT_OK : read_no_memory(reader);
}

static abut_status read_times(scene_reader *reader) {
    abut_scene *scene = reader->scene;
    scene->dt = 1.0 / 60.0;
    abut_status status = read_number(reader, &reader->root, "dt", NUMBER_POSITIVE, &scene->dt);
    if (status == ABUT_OK) {
        status = read_number(reader, &reader->root, "duration", NUMBER_POSITIVE, &scene->duration);
    }
    if (status != ABUT_OK) {
        return status;
    }
    double steps = fmax(1.0, round(scene->duration / scene->dt));
    scene_place place;
    read_member(&reader->root, "duration", &place);
    if (!(steps <= MOST_STEPS)) {
        return read_fail(reader, &place, "a duration of %g in steps of %g is more than %d steps", scene->duration, scene->dt, MOST_STEPS);
    }
    scene->step_count = (int64_t)steps;
    return scene->duration < 0.5 * scene->dt
               ? read_warn(reader, &place, "the scene makes one step of %g, which is longer than its duration of %g", scene->dt,
                           scene->duration)
               : ABUT_OK;
}

static abut_status read_fixed_stepper(const scene_reader *reader, const scene_place *place, abut_fixed_settings *fixed) {
    const number_key numbers[] = {{"contact_frequency", NUMBER_POSITIVE, &fixed->contact_frequency},
                                  {"contact_damping", NUMBER_POSITIVE, &fixed->contact_damping},
                                  {"max_push_speed", NUMBER_POSITIVE, &fixed->max_push_speed},
                                  {"restitution_speed", NUMBER_NOT_NEGATIVE, &fixed->restitution_speed},
                                  {"margin", NUMBER_NOT_NEGATIVE, &fixed->margin},
                                  {"sleep_speed", NUMBER_NOT_NEGATIVE, &fixed->sleep_speed},
                                  {"sleep_time", NUMBER_NOT_NEGATIVE, &fixed->sleep_time}};
    abut_status status = read_object(reader, place, SCENE_FIXED_STEPPER, "'stepper'");
    if (status == ABUT_OK) {
        status = read_bool(reader, place, "exact", &fixed->exact);
    }
    if (status == ABUT_OK) {
        status = read_integer(reader, place, "effort", 1, MOST_PASSES, &fixed->effort);
    }
    if (status == ABUT_OK) {
        status = read_integer(reader, place, "substeps", 1, MOST_PASSES, &fixed->substeps);
    }
    if (status == ABUT_OK) {
        status = read_integer(reader, place, "iterations", 1, MOST_PASSES, &fixed->iterations);
    }
    if (status == ABUT_OK) {
        status = read_integer(reader, place, "contacts_per_patch", 0, MOST_PASSES, &fixed->contacts_per_patch);
    }
    if (status == ABUT_OK) {
        status = read_bool(reader, place, "sleeping", &fixed->sleeping);
    }
    return status == ABUT_OK ? read_number_keys(reader, place, numbers, sizeof numbers / sizeof numbers[0]) : status;
}

static abut_status read_event_stepper(const scene_reader *reader, const scene_place *place, abut_event_settings *event) {
    static const char *const impulses[] = {"simultaneous", "sequential", NULL};
    const number_key numbers[] = {
        {"tolerance", NUMBER_POSITIVE, &event->tolerance},         {"touching", NUMBER_POSITIVE, &event->touching},
        {"resting_speed", NUMBER_POSITIVE, &event->resting_speed}, {"restitution_speed", NUMBER_NOT_NEGATIVE, &event->restitution_speed},
        {"drift_rate", NUMBER_NOT_NEGATIVE, &event->drift_rate},   {"longest_step", NUMBER_POSITIVE, &event->longest_step}};
    int way = event->impulses == ABUT_IMPULSES_SEQUENTIAL;
    abut_status status = read_object(reader, place, SCENE_EVENT_STEPPER, "'stepper' of kind 'event'");
    if (status == ABUT_OK) {
        status = read_number_keys(reader, place, numbers, sizeof numbers / sizeof numbers[0]);
    }
    if (status == ABUT_OK) {
        status = read_integer(reader, place, "event_limit", 1, INT32_MAX, &event->event_limit);
    }
    if (status == ABUT_OK) {
        status = read_choice(reader, place, "impulses", impulses, &way);
    }
    if (status == ABUT_OK) {
        status = read_bool(reader, place, "friction", &event->friction);
    }
    event->impulses = way == 0 ? ABUT_IMPULSES_SIMULTANEOUS : ABUT_IMPULSES_SEQUENTIAL;
    return status;
}

/* The kind determines which other keys are allowed. */
static abut_status read_stepper(const scene_reader *reader, abut_world_def *world) {
    static const char *const kinds[] = {"fixed", "event", "dem", NULL};
    static const abut_stepper steppers[] = {ABUT_STEPPER_FIXED, ABUT_STEPPER_EVENT, ABUT_STEPPER_DEM};
    scene_place place;
    if (!read_member(&reader->root, "stepper", &place)) {
        return ABUT_OK;
    }
    int kind = 0;
    abut_status status = json_is_object(place.value) ? read_choice(reader, &place, "kind", kinds, &kind) : ABUT_OK;
    if (status != ABUT_OK) {
        return status;
    }
    world->stepper = steppers[kind];
    switch (world->stepper) {
    case ABUT_STEPPER_EVENT:
        return read_event_stepper(reader, &place, &world->event);
    case ABUT_STEPPER_DEM:
        return scene_dem_read_stepper(reader, &place, &world->dem);
    default:
        return read_fixed_stepper(reader, &place, &world->fixed);
    }
}

static abut_status read_feature_angle(const scene_reader *reader, const scene_place *contact, double *angle) {
    scene_place place;
    double degrees = 0.0;
    if (!read_member(contact, "feature_angle_degrees", &place)) {
        return ABUT_OK;
    }
    abut_status status = read_number_at(reader, &place, "feature_angle_degrees", NUMBER_NOT_NEGATIVE, &degrees);
    if (status == ABUT_OK && degrees > 45.0) {
        status = read_fail(reader, &place, "'feature_angle_degrees' must be a number from 0 to 45, not %g", degrees);
    }
    if (status == ABUT_OK) {
        *angle = degrees * (pi / 180.0);
    }
    return status;
}

/* The keys of the growth normal have no effect on the normal of least depth. */
static abut_status warn_unused(scene_reader *reader, const scene_place *contact) {
    static const char *const of_growth[] = {"contraction", "refine_normal"};
    abut_status status = ABUT_OK;
    for (int i = 0; i < 2 && status == ABUT_OK; ++i) {
        scene_place place;
        if (read_member(contact, of_growth[i], &place)) {
            status = read_warn(reader, &place, "'%s' has an effect only with \"normal\": \"growth\"", of_growth[i]);
        }
    }
    return status;
}

static abut_status read_normal(scene_reader *reader, const scene_place *contact, abut_collide_settings *collide) {
    static const char *const normals[] = {"growth", "minimum", NULL};
    static const char *const contractions[] = {"core", "centroid", NULL};
    int normal = collide->normal == ABUT_NORMAL_MINIMUM, contraction = collide->contraction == ABUT_CONTRACTION_CENTROID;
    abut_status status = read_choice(reader, contact, "normal", normals, &normal);
    if (status == ABUT_OK) {
        status = read_choice(reader, contact, "contraction", contractions, &contraction);
    }
    if (status == ABUT_OK) {
        status = read_bool(reader, contact, "refine_normal", &collide->refine_normal);
    }
    collide->normal = normal == 0 ? ABUT_NORMAL_GROWTH : ABUT_NORMAL_MINIMUM;
    collide->contraction = contraction == 0 ? ABUT_CONTRACTION_CORE : ABUT_CONTRACTION_CENTROID;
    return status == ABUT_OK && collide->normal == ABUT_NORMAL_MINIMUM ? warn_unused(reader, contact) : status;
}

static abut_status read_contact(scene_reader *reader, abut_world_def *world) {
    static const char *const methods[] = {"patch", "tracking", NULL};
    scene_place place;
    if (!read_member(&reader->root, "contact", &place)) {
        return ABUT_OK;
    }
    int method = world->method == ABUT_METHOD_TRACKING;
    abut_status status = read_object(reader, &place, SCENE_CONTACT, "'contact'");
    if (status == ABUT_OK) {
        status = read_choice(reader, &place, "method", methods, &method);
    }
    if (status == ABUT_OK) {
        status = read_feature_angle(reader, &place, &world->collide.feature_angle);
    }
    if (status == ABUT_OK) {
        status = read_normal(reader, &place, &world->collide);
    }
    world->method = method == 0 ? ABUT_METHOD_PATCH : ABUT_METHOD_TRACKING;
    if (status == ABUT_OK && world->stepper == ABUT_STEPPER_DEM) {
        status = read_warn(reader, &place, "the dem stepper makes its own contacts and ignores 'contact'");
    }
    return status;
}

abut_status scene_read_world(scene_reader *reader) {
    abut_scene *scene = reader->scene;
    scene->world = abut_world_def_default();
    const char *schema = NULL; /* for editors; any string will do */
    abut_status status = read_version(reader);
    if (status == ABUT_OK) {
        status = read_object(reader, &reader->root, SCENE_SCENE, "the scene");
    }
    if (status == ABUT_OK) {
        status = read_string(reader, &reader->root, "$schema", &schema);
    }
    if (status == ABUT_OK) {
        status = copy_string(reader, "title", &scene->title);
    }
    if (status == ABUT_OK) {
        status = copy_string(reader, "description", &scene->description);
    }
    if (status == ABUT_OK) {
        status = read_times(reader);
    }
    if (status == ABUT_OK) {
        status = read_vec3(reader, &reader->root, "gravity", &scene->world.gravity);
    }
    if (status == ABUT_OK) {
        status = read_stepper(reader, &scene->world);
    }
    if (status == ABUT_OK) {
        status = scene_dem_read_until(reader);
    }
    return status == ABUT_OK ? read_contact(reader, &scene->world) : status;
}
