/*
 * Reads a fill: bodies of one shape at random places of a region, without overlap. Each body is placed by its bounding ball. The bounding ball of a ball is
 * exact; that of another shape is safe for every rotation.
 */
#include "io/scene/fill.h"

#include <math.h>
#include <stdlib.h>

#include <abut/facetmesh.h>

#include "io/scene/scatter.h"
#include "io/scene/data.h"

enum { MOST_FILLED = 1000000 }; /* of all fills of a scene together */

typedef struct fill_settings {
    int32_t count, seed;
    double scale[2];
    scatter_box box;
} fill_settings;

static abut_status read_region(const scene_reader *reader, const scene_place *place, scatter_box *box) {
    abut_status status = read_vec3(reader, place, "lower", &box->lower);
    if (status == ABUT_OK) {
        status = read_vec3(reader, place, "upper", &box->upper);
    }
    if (status == ABUT_OK && !(box->lower.x < box->upper.x && box->lower.y < box->upper.y && box->lower.z < box->upper.z)) {
        scene_place upper;
        read_member(place, "upper", &upper);
        status = read_fail(reader, &upper, "'upper' must be above 'lower' along each axis");
    }
    return status == ABUT_OK ? read_number(reader, place, "spacing", NUMBER_NOT_NEGATIVE, &box->spacing) : status;
}

static abut_status read_scale(const scene_reader *reader, const scene_place *fill, abut_kind kind, double scale[2]) {
    scene_place place;
    if (!read_member(fill, "scale", &place)) {
        return ABUT_OK;
    }
    if (kind != ABUT_SHAPE_SPHERE) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &place, true, "'scale' is for shapes of kind sphere, not %s", abut_kind_name(kind));
    }
    abut_status status = read_numbers_at(reader, &place, "scale", 2, scale);
    if (status == ABUT_OK && !(scale[0] > 0.0 && scale[0] <= scale[1])) {
        status = read_fail(reader, &place, "'scale' must be [least, most] with 0 < least <= most, not [%g, %g]", scale[0], scale[1]);
    }
    return status;
}

static abut_status read_settings(const scene_reader *reader, const scene_place *place, abut_kind kind, fill_settings *settings) {
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
        status = read_region(reader, place, &settings->box);
    }
    return status == ABUT_OK ? read_scale(reader, place, kind, settings->scale) : status;
}

/* The height by which the rounded surface of a facet rises above its triangle. */
static double bulge(const abut_facet *facet, const abut_facet_sphere *sphere) {
    double height = abut_dot(abut_sub(facet->corner[0], sphere->centre), sphere->normal);
    return isfinite(sphere->radius) ? fmax(sphere->radius - height, 0.0) : 0.0;
}

/* The bounding ball of a body of rounded triangles, about the middle of its bounds, which include the rounded surface. It is as small as the triangles
 * allow. */
static scatter_ball ball_about_facets(const abut_shape *shape, abut_vec3 middle) {
    double most = 0.0;
    for (int32_t i = 0; i < abut_shape_facet_count(shape); i++) {
        abut_facet facet;
        abut_facet_sphere sphere;
        if (abut_shape_facet(shape, abut_pose_identity(), i, &facet) == ABUT_OK &&
            abut_shape_facet_sphere(shape, abut_pose_identity(), i, &sphere) == ABUT_OK) {
            for (int k = 0; k < 3; k++) {
                most = fmax(most, abut_distance_between(facet.corner[k], middle) + bulge(&facet, &sphere));
            }
        }
    }
    return (scatter_ball){middle, most};
}

/* The bounding ball of a shape, in its own frame. */
static scatter_ball ball_about(const abut_shape *shape) {
    if (abut_shape_kind(shape) == ABUT_SHAPE_SPHERE) {
        return (scatter_ball){abut_vec3_make(0.0, 0.0, 0.0), abut_shape_radius(shape)};
    }
    abut_aabb bounds = abut_shape_bounds(shape, abut_pose_identity());
    abut_vec3 half = abut_scale(0.5, abut_sub(bounds.upper, bounds.lower));
    abut_vec3 middle = abut_add(bounds.lower, half);
    if (abut_shape_kind(shape) == ABUT_SHAPE_FACETMESH) {
        return ball_about_facets(shape, middle);
    }
    return (scatter_ball){middle, abut_length(half)};
}

static abut_status check_shape(const scene_reader *reader, const scene_place *place, const char *what, const abut_shape *shape) {
    if (abut_shape_kind(shape) == ABUT_SHAPE_PLANE) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, place, true, "%s: a plane is unbounded and cannot fill a region", what);
    }
    return ABUT_OK;
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
        double scale = settings->scale[0] + scatter_draw(random) * (settings->scale[1] - settings->scale[0]);
        grown[reader->filled_count + i] = (scatter_ball){.radius = scale * radius};
        if (!scatter_fits(&settings->box, scale * radius)) {
            return read_fail(reader, place, "a body of radius %g does not fit into the region", scale * radius);
        }
    }
    return ABUT_OK;
}

/* A ball like another one, of a different radius. Its contraction point grows with it. */
static abut_status make_scaled_ball(const abut_shape *ball, double radius, abut_shape **made) {
    abut_vec3 point;
    abut_status status = abut_shape_create_sphere(radius, made);
    if (status == ABUT_OK && abut_shape_contraction(ball, &point)) {
        abut_shape *plain = *made;
        status = abut_shape_create_with_contraction(plain, abut_scale(radius / abut_shape_radius(ball), point), made);
        abut_shape_release(plain);
    }
    return status;
}

static abut_status make_bodies(const scene_reader *reader, const scene_place *place, const abut_body_def *def, bool turned,
                               scatter_random *random, fill_body *bodies, int32_t count) {
    bool sphere = abut_shape_kind(def->shape) == ABUT_SHAPE_SPHERE;
    scatter_ball about = ball_about(def->shape);
    for (int32_t i = 0; i < count; i++) {
        scatter_ball ball = reader->filled[reader->filled_count + i];
        abut_quat turn = sphere || turned ? def->pose.rotation : scatter_turn(random);
        bodies[i].pose = (abut_pose){abut_sub(ball.centre, abut_quat_rotate(turn, about.centre)), turn};
        if (!sphere || ball.radius == about.radius) {
            bodies[i].shape = abut_shape_retain(def->shape);
            continue;
        }
        abut_shape *made = NULL;
        abut_status status = make_scaled_ball(def->shape, ball.radius, &made);
        if (status != ABUT_OK) {
            return status == ABUT_ERROR_OUT_OF_MEMORY
                       ? read_no_memory(reader)
                       : read_fail(reader, place, "a radius of %g is outside the range of double precision", ball.radius);
        }
        bodies[i].shape = made;
    }
    return ABUT_OK;
}

abut_status fill_read(scene_reader *reader, const scene_place *place, const char *what, const abut_body_def *def, bool turned,
                      fill_body **bodies, int32_t *count) {
    fill_settings settings;
    abut_status status = check_shape(reader, place, what, def->shape);
    if (status == ABUT_OK) {
        status = read_settings(reader, place, abut_shape_kind(def->shape), &settings);
    }
    scatter_random random = {(uint64_t)(status == ABUT_OK ? settings.seed : 0)};
    if (status == ABUT_OK) {
        status = make_balls(reader, place, &settings, ball_about(def->shape).radius, &random);
    }
    if (status != ABUT_OK) {
        return status;
    }
    int32_t taken = reader->filled_count, placed = 0;
    status = scatter_balls(reader->filled, taken, taken + settings.count, &settings.box, &random, &placed);
    if (status != ABUT_OK) {
        return read_no_memory(reader);
    }
    if (placed < taken + settings.count) {
        return read_fail(reader, place, "only %d of %d bodies fit; enlarge the region so that bodies fill about a quarter of it",
                         placed - taken, settings.count);
    }
    fill_body *made = calloc((size_t)settings.count, sizeof *made);
    if (!made) {
        return read_no_memory(reader);
    }
    status = make_bodies(reader, place, def, turned, &random, made, settings.count);
    if (status != ABUT_OK) {
        fill_release(made, settings.count);
        return status;
    }
    reader->filled_count += settings.count;
    *bodies = made;
    *count = settings.count;
    return ABUT_OK;
}

void fill_release(fill_body *bodies, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        abut_shape_release(bodies[i].shape);
    }
    free(bodies);
}
