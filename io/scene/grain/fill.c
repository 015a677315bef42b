/*
 * Reads a fill: bodies of one shape at random places of a region, without overlap. Each body is placed by its bounding ball. The bounding ball of a ball is
 * exact; that of another shape is safe for every rotation.
 */
#include "io/scene/grain/fill.h"

#include <stdlib.h>

#include "io/scene/data.h"
#include "io/scene/grain/bounding_ball.h"

enum { MOST_FILLED = 1000000, TRIES = 2000 }; /* of all fills of a scene together; for one body */

typedef struct fill_settings {
    int32_t count, seed;
    double scale[2];
    sieve sizes; /* count 0: none */
    scatter_region box;
} fill_settings;

static abut_status read_scale(const scene_reader *reader, const scene_place *fill, abut_kind kind, double scale[2]) {
    scene_place place;
    if (!read_member(fill, "scale", &place)) {
        return ABUT_OK;
    }
    if (kind != ABUT_SHAPE_SPHERE) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &place, true, "'scale' is for shapes of kind sphere, not %s", abut_kind_name(kind));
    }
    if (json_object_get(fill->value, "sizes")) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &place, true, "'fill' has both 'scale' and 'sizes'");
    }
    abut_status status = read_numbers_at(reader, &place, "scale", 2, scale);
    if (status == ABUT_OK && !(scale[0] > 0.0 && scale[0] <= scale[1])) {
        status = read_fail(reader, &place, "'scale' must be [least, most] with 0 < least <= most, not [%g, %g]", scale[0], scale[1]);
    }
    return status;
}

static abut_status read_settings(const scene_reader *reader, const scene_place *place, const abut_shape *shape, fill_settings *settings) {
    *settings = (fill_settings){.seed = 1, .scale = {1.0, 1.0}};
    abut_status status = read_object(reader, place, SCENE_FILL, "'fill'");
    if (status == ABUT_OK) {
        status = read_integer(reader, place, "count", 1, MOST_FILLED, &settings->count);
    }
    if (status == ABUT_OK && settings->count > MOST_FILLED - reader->filled_count) {
        scene_place count;
        read_member(place, "count", &count);
        status = read_fail(reader, &count, "all fills of a scene together must not have more than %d bodies", MOST_FILLED);
    }
    if (status == ABUT_OK) {
        status = read_integer(reader, place, "seed", 0, INT32_MAX, &settings->seed);
    }
    if (status == ABUT_OK) {
        status = grains_read_box(reader, place, &settings->box);
    }
    if (status == ABUT_OK) {
        status = read_scale(reader, place, abut_shape_kind(shape), settings->scale);
    }
    return status == ABUT_OK ? grains_read_sizes(reader, place, shape, &settings->sizes) : status;
}

/* The radius of the next ball. `radius` is that of the shape. */
static double draw_radius(const fill_settings *settings, double radius, scatter_random *random) {
    if (settings->sizes.count > 0) {
        return 0.5 * sieve_draw(&settings->sizes, random);
    }
    return radius * (settings->scale[0] + scatter_draw(random) * (settings->scale[1] - settings->scale[0]));
}

/* Draws the radii of the new balls, which are stored after those of earlier fills. */
static abut_status make_balls(scene_reader *reader, const scene_place *place, const fill_settings *settings, double radius,
                              scatter_random *random) {
    scatter_ball *grown = realloc(reader->filled, (size_t)(reader->filled_count + settings->count) * sizeof *grown);
    if (!grown) {
        return read_no_memory(reader);
    }
    reader->filled = grown;
    for (int32_t i = 0; i < settings->count; i++) {
        double drawn = draw_radius(settings, radius, random);
        grown[reader->filled_count + i] = (scatter_ball){.radius = drawn};
        if (!scatter_fits(&settings->box, drawn)) {
            return read_fail(reader, place, "a body of radius %g does not fit into the region", drawn);
        }
    }
    return ABUT_OK;
}

static abut_status place_balls(scene_reader *reader, const scene_place *place, const fill_settings *settings, scatter_random *random) {
    const scatter_search search = {.region = &settings->box, .tries = TRIES};
    int32_t taken = reader->filled_count, placed = 0;
    if (scatter_balls(reader->filled, taken, taken + settings->count, &search, random, &placed) != ABUT_OK) {
        return read_no_memory(reader);
    }
    return placed == taken + settings->count
               ? ABUT_OK
               : read_fail(reader, place, "only %d of %d bodies fit; enlarge the region so that bodies fill about a quarter of it",
                           placed - taken, settings->count);
}

static abut_status make_bodies(const scene_reader *reader, const scene_place *place, const abut_body_def *def, bool turned, int32_t count,
                               scatter_random *random, grain_body **bodies) {
    grain_body *made = calloc((size_t)count, sizeof *made);
    abut_vec3 middle = bounding_ball(def->shape).centre;
    abut_status status = made ? ABUT_OK : read_no_memory(reader);
    for (int32_t i = 0; i < count && status == ABUT_OK; i++) {
        status = grains_make(reader, place, def, turned, middle, reader->filled[reader->filled_count + i], random, &made[i]);
    }
    if (status != ABUT_OK) {
        grains_release(made, made ? count : 0);
        return status;
    }
    *bodies = made;
    return ABUT_OK;
}

abut_status fill_read(scene_reader *reader, const scene_place *place, const char *what, const abut_body_def *def, bool turned,
                      grain_body **bodies, int32_t *count) {
    fill_settings settings = {.count = 0};
    abut_status status = grains_check_shape(reader, place, what, def->shape);
    if (status == ABUT_OK) {
        status = read_settings(reader, place, def->shape, &settings);
    }
    scatter_random random = {(uint64_t)settings.seed};
    if (status == ABUT_OK) {
        status = make_balls(reader, place, &settings, bounding_ball(def->shape).radius, &random);
    }
    if (status == ABUT_OK) {
        status = place_balls(reader, place, &settings, &random);
    }
    if (status == ABUT_OK) {
        status = make_bodies(reader, place, def, turned, settings.count, &random, bodies);
    }
    sieve_release(&settings.sizes);
    if (status == ABUT_OK) {
        reader->filled_count += settings.count;
        *count = settings.count;
    }
    return status;
}
