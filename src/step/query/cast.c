/* Shapes that move through a world. */
#include "step/query/batch.h"
#include "step/query/first.h"

#include "base/argument.h"
#include "base/real.h"
#include "shape/shape.h"

static abut_status ask(const void *question, const body *body, abut_hit *hit) {
    const abut_cast *cast = question;
    const abut_motion still = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    return abut_shape_cast(&(abut_pair){cast->shape, cast->pose, body->shape, body->pose}, cast->motion, still, cast->tolerance, hit);
}

/* What abut_shape_cast() refuses whatever the other shape. */
static abut_status check(const char *call, const abut_cast *cast) {
    if (argument_is_null(call, "cast", cast) || argument_is_null(call, "cast->shape", cast->shape) ||
        argument_is_no_pose(call, "cast->pose", cast->pose) || argument_is_negative(call, "cast->tolerance", cast->tolerance)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (argument_is_not_finite(call, "cast->tolerance", cast->tolerance) ||
        argument_is_no_vector(call, "cast->motion.linear", cast->motion.linear) ||
        argument_is_no_vector(call, "cast->motion.angular", cast->motion.angular)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    return isfinite(abut_length(cast->motion.linear)) && isfinite(abut_length(cast->motion.angular))
               ? ABUT_OK
               : refuse(ABUT_ERROR_NOT_FINITE, call, "the square of cast->motion overflows");
}

/* Bounds of the moving shape about the origin of its frame, at all times of the motion. */
static abut_aabb bounds_of(const abut_cast *cast) {
    abut_aabb box = abut_shape_bounds(cast->shape, (abut_pose){{0.0, 0.0, 0.0}, cast->pose.rotation});
    abut_vec3 turn = cast->motion.angular;
    if (turn.x == 0.0 && turn.y == 0.0 && turn.z == 0.0) {
        return box;
    }
    abut_vec3 far =
        abut_vec3_make(real_max(-box.lower.x, box.upper.x), real_max(-box.lower.y, box.upper.y), real_max(-box.lower.z, box.upper.z));
    double radius = abut_length(far);
    return (abut_aabb){{-radius, -radius, -radius}, {radius, radius, radius}};
}

/* The default tolerance is relative to the smaller shape. */
static double room_of(const abut_cast *cast) { return cast->tolerance > 0.0 ? cast->tolerance : 1e-6 * cast->shape->size; }

static query_way way_of(const abut_world *world, const query_index *index, const abut_cast *cast, const abut_query_filter *filter) {
    query_sweep sweep =
        query_sweep_make(cast->pose.position, cast->motion.linear, bounds_of(cast), room_of(cast) + query_overhang(index, cast->shape));
    return (query_way){world, index, filter, sweep, ask, cast};
}

abut_status abut_world_shape_cast(const abut_world *world, const abut_cast *cast, const abut_query_filter *filter, abut_world_hit *hit) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_null(CALL_NAME, "hit", hit)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = check(CALL_NAME, cast);
    const query_index *index = status == ABUT_OK ? query_index_of(world) : NULL;
    if (index == NULL) {
        return status == ABUT_OK ? ABUT_ERROR_OUT_OF_MEMORY : status;
    }
    query_way way = way_of(world, index, cast, filter);
    return query_first_hit(&way, hit);
}

typedef struct casts {
    const abut_world *world;
    const abut_cast *casts;
    const abut_query_filter *filter;
} casts;

static abut_status answer(const void *questions, int32_t i, const query_index *index, void *answers) {
    const casts *of = questions;
    abut_world_hit *hits = answers;
    abut_status status = check("abut_world_shape_cast_batch", &of->casts[i]);
    if (status != ABUT_OK) {
        return status;
    }
    query_way way = way_of(of->world, index, &of->casts[i], of->filter);
    return query_first_hit(&way, &hits[i]);
}

abut_status abut_world_shape_cast_batch(const abut_world *world, const abut_cast *casts_of, int32_t count, const abut_query_filter *filter,
                                        abut_world_hit *hits) {
    if (argument_is_null(CALL_NAME, "world", world) || argument_is_below(CALL_NAME, "count", count, 0) ||
        (count > 0 && (argument_is_null(CALL_NAME, "casts", casts_of) || argument_is_null(CALL_NAME, "hits", hits)))) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    const casts questions = {world, casts_of, filter};
    return query_batch(world, answer, &questions, count, hits);
}
