/*
 * abut_growth_distance ([SNE] equations 1 and 2).
 */

#include <abut/collide.h>

#include "narrow/generators.h"

static bool is_bounded_convex(const abut_shape *shape) {
    return shape->kind != ABUT_SHAPE_PLANE && shape->kind != ABUT_SHAPE_COMPOUND;
}

abut_status abut_growth_distance(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b,
                                 const abut_collide_settings *settings, abut_growth *growth) {
    if (growth == NULL) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    collide_pair pair;
    abut_mat3 rotation;
    abut_status status = collide_place(a, pose_a, b, pose_b, settings, &pair, &rotation);
    if (status != ABUT_OK) {
        return status;
    }
    if (!is_bounded_convex(a) || !is_bounded_convex(b)) {
        return ABUT_ERROR_UNSUPPORTED_PAIR;
    }
    convex body_a = convex_place(a, abut_identity_mat3(), abut_make_vec3(0, 0, 0), 0);
    convex body_b = convex_place(b, pair.rotation_b, pair.position_b, 0);
    normal_settings normal = collide_normal_settings(&pair);
    growth_result result = growth_solve(&body_a, &body_b, &normal);
    abut_pose to_world = {pose_a.position, abut_quat_unit(pose_a.rotation)};
    abut_vec3 touch = abut_lerp(result.contraction_a, result.normal.on_a, result.alpha);
    *growth = (abut_growth){.alpha = result.alpha,
                            .alpha_lower = fmin(result.gauge.lower, result.alpha),
                            .normal = abut_unit(abut_neg(abut_mul(rotation, result.normal.direction))),
                            .gap = result.normal.gap,
                            .touch = abut_transform(to_world, touch),
                            .on_a = abut_transform(to_world, result.normal.on_a),
                            .on_b = abut_transform(to_world, result.normal.on_b),
                            .contraction_a = abut_transform(to_world, result.contraction_a),
                            .contraction_b = abut_transform(to_world, result.contraction_b),
                            .iterations = result.gauge.supports,
                            .normal_chosen = result.normal.chosen};
    bool certified = result.alpha - growth->alpha_lower <= 1e-9 * result.alpha;
    return certified ? ABUT_OK : ABUT_ERROR_ITERATION_LIMIT;
}
