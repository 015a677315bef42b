/*
 * Regions, sizes and shapes of the bodies of fills and inlets.
 */
#include "io/scene/grain/grains.h"

#include <stdlib.h>

abut_status grains_check_shape(const scene_reader *reader, const scene_place *place, const char *what, const abut_shape *shape) {
    if (abut_shape_kind(shape) == ABUT_SHAPE_PLANE) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, place, true, "%s: a plane is unbounded and cannot fill a region", what);
    }
    return ABUT_OK;
}

abut_status grains_read_box(const scene_reader *reader, const scene_place *place, scatter_region *box) {
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

abut_status grains_read_sizes(const scene_reader *reader, const scene_place *place, const abut_shape *shape, sieve *made) {
    scene_place sizes;
    *made = (sieve){.count = 0};
    if (!read_member(place, "sizes", &sizes)) {
        return ABUT_OK;
    }
    if (abut_shape_kind(shape) != ABUT_SHAPE_SPHERE) {
        return read_fail_as(reader, ABUT_ERROR_FORMAT, &sizes, true, "'sizes' is for shapes of kind sphere, not %s",
                            abut_kind_name(abut_shape_kind(shape)));
    }
    return sieve_read(reader, &sizes, made);
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

abut_status grains_make(const scene_reader *reader, const scene_place *place, const abut_body_def *def, bool turned, abut_vec3 middle,
                        scatter_ball ball, scatter_random *random, grain_body *grain) {
    bool sphere = abut_shape_kind(def->shape) == ABUT_SHAPE_SPHERE;
    abut_quat turn = sphere || turned ? def->pose.rotation : scatter_turn(random);
    grain->pose = (abut_pose){abut_sub(ball.centre, abut_quat_rotate(turn, middle)), turn};
    if (!sphere || ball.radius == abut_shape_radius(def->shape)) {
        grain->shape = abut_shape_retain(def->shape);
        return ABUT_OK;
    }
    abut_shape *made = NULL;
    abut_status status = make_scaled_ball(def->shape, ball.radius, &made);
    if (status != ABUT_OK) {
        return status == ABUT_ERROR_OUT_OF_MEMORY
                   ? read_no_memory(reader)
                   : read_fail(reader, place, "a radius of %g is outside the range of double precision", ball.radius);
    }
    grain->shape = made;
    return ABUT_OK;
}

void grains_release(grain_body *bodies, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        abut_shape_release(bodies[i].shape);
    }
    free(bodies);
}
