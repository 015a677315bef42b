/*
 * abut_growth_distance: the growth distance of two bounded convex shapes, from the world into the pair's frame and back.
 */

#include <abut/query.h>

#include "base/argument.h"
#include "base/real.h"
#include "narrow/normal/growth/growth.h"
#include "narrow/pair.h"

/* Whether the bodies scaled by the lower bound are separated along the normal. */
static bool is_certified(const growth_result *result) {
    double between = abut_dot(result->normal.direction, abut_sub(result->contraction_b, result->contraction_a));
    return result->alpha_lower * (1.0 - 1e-9) * (between - result->normal.gap) <= between;
}

/* A previous normal is kept where others are better by up to 1e-6, which is good for motion. Here the normal has to prove the bound. */
static growth_result solve(const convex *a, const convex *b, const normal_settings *settings) {
    growth_result result = growth_solve(a, b, settings, INFINITY);
    if (result.normal.chosen && abut_length_squared(settings->previous) > 0.0 && !is_certified(&result)) {
        normal_settings anew = *settings;
        anew.previous = abut_vec3_make(0.0, 0.0, 0.0);
        result = growth_solve(a, b, &anew, INFINITY);
    }
    return result;
}

static abut_status find_between(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, abut_growth *growth) {
    collide_pair placed;
    abut_status status = collide_place_bodies(a, b, settings, &placed);
    if (status != ABUT_OK) {
        return status;
    }
    if (!shape_is_convex(a->shape) || !shape_is_convex(b->shape)) {
        return ABUT_ERROR_UNSUPPORTED_PAIR;
    }
    convex body_a, body_b;
    collide_place_convex(&placed, &body_a, &body_b);
    growth_result result = solve(&body_a, &body_b, &placed.normal);
    abut_pose to_world = {a->pose.position, abut_quat_unit(a->pose.rotation)};
    abut_vec3 touch = abut_lerp(result.contraction_a, result.normal.on_a, result.alpha);
    *growth = (abut_growth){.alpha = result.alpha,
                            .alpha_lower = real_min(result.alpha_lower, result.alpha),
                            .normal = abut_unit(abut_neg(abut_mat3_apply(a->rotation, result.normal.direction))),
                            .gap = result.normal.gap,
                            .touch = abut_pose_apply(to_world, touch),
                            .on_a = abut_pose_apply(to_world, result.normal.on_a),
                            .on_b = abut_pose_apply(to_world, result.normal.on_b),
                            .contraction_a = abut_pose_apply(to_world, result.contraction_a),
                            .contraction_b = abut_pose_apply(to_world, result.contraction_b),
                            .iterations = result.supports,
                            .normal_chosen = result.normal.chosen};
    return result.converged ? ABUT_OK : ABUT_ERROR_ITERATION_LIMIT;
}

abut_status abut_growth_distance(const abut_pair *pair, const abut_collide_settings *settings, abut_growth *growth) {
    if (argument_is_null(CALL_NAME, "growth", growth)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_placed a, b;
    abut_status status = collide_place_both(pair, &a, &b) ? find_between(&a, &b, settings, growth) : ABUT_ERROR_INVALID_ARGUMENT;
    return status == ABUT_OK ? ABUT_OK : collide_refuse(status, CALL_NAME, -1, pair, settings);
}

abut_status abut_growth_distance_placed(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings,
                                        abut_growth *growth) {
    if (argument_is_null(CALL_NAME, "growth", growth)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = collide_are_placed(a, b) ? find_between(a, b, settings, growth) : ABUT_ERROR_INVALID_ARGUMENT;
    return status == ABUT_OK ? ABUT_OK : collide_refuse_placed(status, CALL_NAME, -1, a, b, settings);
}
