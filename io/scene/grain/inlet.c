/*
 * Reads an inlet, and draws what comes through it. Body k of a number rate f comes at from + (k + 1) / f; of a mass rate, when the mass of the bodies up to it,
 * itself included, has flowed. So the mass that has come is behind the rate by less than one body.
 */
#include "io/scene/grain/inlet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/file/grow.h"
#include "io/scene/grain/bounding_ball.h"

enum { MOST_COMING = 1000000 }; /* bodies of all inlets of a scene together */

typedef struct inlet_settings {
    double number_rate, mass_rate; /* one of them is above 0 */
    double from, until;            /* until: the last step without the key */
    bool has_end;
    int32_t number; /* most bodies */
    double mass;    /* most mass; infinite without the key */
    int32_t seed;
    sieve sizes; /* count 0: none */
    scatter_region region;
} inlet_settings;

/* ---- settings ---- */

static abut_status read_disc(const scene_reader *reader, const scene_place *place, scatter_region *region) {
    abut_vec3 centre = {0, 0, 0}, normal = {0, 0, 0};
    double radius = 0.0, spacing = region->spacing;
    abut_status status = read_object(reader, place, SCENE_DISC, "'disc'");
    status = status == ABUT_OK ? read_vec3(reader, place, "centre", &centre) : status;
    status = status == ABUT_OK ? read_vec3(reader, place, "normal", &normal) : status;
    status = status == ABUT_OK ? read_number(reader, place, "radius", NUMBER_POSITIVE, &radius) : status;
    if (status == ABUT_OK && abut_length_squared(abut_unit(normal)) == 0.0) {
        scene_place key;
        read_member(place, "normal", &key);
        status = read_fail(reader, &key, "'normal' must not be zero");
    }
    *region = scatter_disc(centre, abut_unit(normal), radius);
    region->spacing = spacing;
    return status;
}

/* A disc, or a box. */
static abut_status read_region(const scene_reader *reader, const scene_place *place, scatter_region *region) {
    scene_place disc;
    bool has_box = json_object_get(place->value, "lower") && json_object_get(place->value, "upper");
    bool has_part = json_object_get(place->value, "lower") || json_object_get(place->value, "upper");
    if (!read_member(place, "disc", &disc)) {
        return has_box ? grains_read_box(reader, place, region)
                       : read_fail(reader, place, "an 'inlet' must have a region: 'lower' and 'upper', or 'disc'");
    }
    if (has_part) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &disc, true, "an 'inlet' must not have a box and a 'disc'");
    }
    abut_status status = read_number(reader, place, "spacing", NUMBER_NOT_NEGATIVE, &region->spacing);
    return status == ABUT_OK ? read_disc(reader, &disc, region) : status;
}

static abut_status read_rate(const scene_reader *reader, const scene_place *place, inlet_settings *settings) {
    bool number = json_object_get(place->value, "number_rate"), mass = json_object_get(place->value, "mass_rate");
    if (number == mass) {
        return read_fail(reader, place, "an 'inlet' must have exactly one of 'number_rate' and 'mass_rate'");
    }
    abut_status status = read_number(reader, place, "number_rate", NUMBER_POSITIVE, &settings->number_rate);
    return status == ABUT_OK ? read_number(reader, place, "mass_rate", NUMBER_POSITIVE, &settings->mass_rate) : status;
}

static abut_status read_times(const scene_reader *reader, const scene_place *place, inlet_settings *settings) {
    abut_status status = read_number(reader, place, "from", NUMBER_NOT_NEGATIVE, &settings->from);
    status = status == ABUT_OK ? read_number(reader, place, "until", NUMBER_NOT_NEGATIVE, &settings->until) : status;
    scene_place until;
    if (status == ABUT_OK && read_member(place, "until", &until) && !(settings->from < settings->until)) {
        status = read_fail(reader, &until, "'until' %g must be after 'from' %g", settings->until, settings->from);
    }
    return status;
}

static abut_status read_settings(const scene_reader *reader, const scene_place *place, const abut_shape *shape, inlet_settings *settings) {
    const abut_scene *scene = reader->scene;
    const char *const ends[] = {"until", "number", "mass"};
    for (int i = 0; i < 3; i++) {
        settings->has_end = settings->has_end || json_object_get(place->value, ends[i]);
    }
    /* The start of the last step. One that goes on from a recording has a clock that is ahead of the scene's. */
    bool ahead = settings->has_end && json_object_get(reader->root.value, "start");
    settings->until = ahead ? INFINITY : (double)(scene->step_count - 1) * scene->dt;
    abut_status status = read_object(reader, place, SCENE_INLET, "'inlet'");
    status = status == ABUT_OK ? read_rate(reader, place, settings) : status;
    status = status == ABUT_OK ? read_times(reader, place, settings) : status;
    status = status == ABUT_OK ? read_integer(reader, place, "number", 1, MOST_COMING, &settings->number) : status;
    status = status == ABUT_OK ? read_number(reader, place, "mass", NUMBER_POSITIVE, &settings->mass) : status;
    status = status == ABUT_OK ? read_integer(reader, place, "seed", 0, INT32_MAX, &settings->seed) : status;
    status = status == ABUT_OK ? read_region(reader, place, &settings->region) : status;
    return status == ABUT_OK ? grains_read_sizes(reader, place, shape, &settings->sizes) : status;
}

static abut_status check_room(const scene_reader *reader, const scene_place *place, const inlet_settings *settings, double radius) {
    return scatter_fits(&settings->region, radius)
               ? ABUT_OK
               : read_fail(reader, place, "a body of radius %g does not fit into the region of the 'inlet'", radius);
}

/* ---- bodies ---- */

/* The bodies while they are drawn. */
typedef struct arrivals {
    grain_body *bodies;
    double *due, *mass;
    size_t count, body_capacity, due_capacity, mass_capacity;
} arrivals;

static bool has_room(arrivals *a) {
    return grow_array(&a->bodies, &a->body_capacity, a->count + 1, MOST_COMING, sizeof *a->bodies) &&
           grow_array(&a->due, &a->due_capacity, a->count + 1, MOST_COMING, sizeof *a->due) &&
           grow_array(&a->mass, &a->mass_capacity, a->count + 1, MOST_COMING, sizeof *a->mass);
}

/* The mass of a body like `def` with another radius. */
static double mass_of(const abut_body_def *def, double radius, double own_radius) {
    abut_mass mass = {0};
    (void)abut_shape_mass(def->shape, def->density, &mass);
    double scale = radius / own_radius;
    return def->mass > 0.0 ? def->mass : mass.mass * (scale * scale * scale);
}

/* The time of the next body. `mass` includes it. */
static double time_of(const inlet_settings *settings, size_t before, double mass) {
    return settings->from + (settings->number_rate > 0.0 ? ((double)before + 1.0) / settings->number_rate : mass / settings->mass_rate);
}

static abut_status draw_all(const scene_reader *reader, const scene_place *place, const inlet_settings *settings, const abut_body_def *def,
                            bool turned, arrivals *made) {
    const scatter_ball about = bounding_ball(def->shape);
    const double allowance = 1e-9 * reader->scene->dt;
    scatter_random sizes = scatter_part((uint64_t)settings->seed, 0), turns = scatter_part((uint64_t)settings->seed, 1);
    const abut_vec3 middle =
        settings->region.radius > 0.0 ? settings->region.centre : abut_lerp(settings->region.lower, settings->region.upper, 0.5);
    for (double total = 0.0; made->count < (size_t)settings->number; made->count++) {
        double radius = settings->sizes.count > 0 ? 0.5 * sieve_draw(&settings->sizes, &sizes) : about.radius;
        total += mass_of(def, radius, about.radius);
        double due = time_of(settings, made->count, total);
        if (!(due <= settings->until + allowance) || !(total <= settings->mass * (1.0 + 1e-12))) {
            break;
        }
        if (made->count == (size_t)(MOST_COMING - reader->coming_count)) {
            return read_fail(reader, place, "more than %d bodies would come through all inlets of the scene", MOST_COMING);
        }
        if (!has_room(made)) {
            return read_no_memory(reader);
        }
        abut_status status =
            grains_make(reader, place, def, turned, about.centre, (scatter_ball){middle, radius}, &turns, &made->bodies[made->count]);
        if (status != ABUT_OK) {
            return status;
        }
        made->due[made->count] = due;
        made->mass[made->count] = total;
    }
    return made->count > 0 ? ABUT_OK : read_fail(reader, place, "no body comes through this 'inlet' before it ends");
}

static abut_status add_inlet(scene_reader *reader, const char *name, const inlet_settings *settings, double largest, const arrivals *made) {
    abut_scene *scene = reader->scene;
    scene_inlet *grown = realloc(scene->inlets, ((size_t)scene->inlet_count + 1) * sizeof *grown);
    scene->inlets = grown ? grown : scene->inlets;
    char *copy = grown ? strdup(name) : NULL;
    if (!copy) {
        return read_no_memory(reader);
    }
    scene->inlets[scene->inlet_count++] = (scene_inlet){.name = copy,
                                                        .first = scene->body_count,
                                                        .count = (int32_t)made->count,
                                                        .region = settings->region,
                                                        .seed = settings->seed,
                                                        .has_end = settings->has_end,
                                                        .largest = largest,
                                                        .due = made->due,
                                                        .mass = made->mass};
    reader->coming_count += (int32_t)made->count;
    return ABUT_OK;
}

abut_status inlet_read(scene_reader *reader, const scene_place *place, const char *what, const char *name, const abut_body_def *def,
                       bool turned, grain_body **bodies, int32_t *count) {
    inlet_settings settings = {.number = INT32_MAX, .mass = INFINITY, .seed = 1};
    arrivals made = {.count = 0};
    abut_status status = grains_check_shape(reader, place, what, def->shape);
    status = status == ABUT_OK ? read_settings(reader, place, def->shape, &settings) : status;
    double largest = status != ABUT_OK          ? 0.0
                     : settings.sizes.count > 0 ? 0.5 * sieve_most(&settings.sizes)
                                                : bounding_ball(def->shape).radius;
    status = status == ABUT_OK ? check_room(reader, place, &settings, largest) : status;
    status = status == ABUT_OK ? draw_all(reader, place, &settings, def, turned, &made) : status;
    status = status == ABUT_OK ? add_inlet(reader, name, &settings, largest, &made) : status;
    sieve_release(&settings.sizes);
    if (status != ABUT_OK) {
        grains_release(made.bodies, (int32_t)made.count);
        free(made.due);
        free(made.mass);
        return status;
    }
    *bodies = made.bodies;
    *count = (int32_t)made.count;
    return ABUT_OK;
}

void inlets_release(scene_inlet *inlets, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        free(inlets[i].name);
        free(inlets[i].due);
        free(inlets[i].mass);
    }
    free(inlets);
}
