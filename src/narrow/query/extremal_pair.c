/* abut_find_extremal_pair() and how a pair moves: by the radii R_A, R_B of both surfaces in the tangent plane. */

#include <abut/extremal.h>
#include <abut/rates.h>

#include "base/real.h"
#include "narrow/query/contact_surface.h"
#include "narrow/normal/extremal/extremal.h"
#include "narrow/normal/extremal/system.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/extremal/normal.h"

static bool is_finite_pair(const abut_extremal_pair *pair) {
    return abut_is_finite_vec3(pair->on_a) && abut_is_finite_vec3(pair->on_b) && abut_is_finite_vec3(pair->normal) && isfinite(pair->gap);
}

static abut_vec3 to_frame_of(abut_mat3 rotation, abut_vec3 position, abut_vec3 point) {
    return abut_mul_transposed(rotation, abut_sub(point, position));
}

/* Newton's method for the normal, and for what it cannot do the same without derivatives. */
static abut_status find_by_normal(const collide_pair *pair, const abut_vec3 *start, abut_extremal_pair *found) {
    if (!shape_is_convex(pair->a) || !shape_is_convex(pair->b) || !(smooth_is(pair->a) || smooth_is(pair->b))) {
        return ABUT_ERROR_UNSUPPORTED_PAIR;
    }
    convex a = convex_place(pair->a, abut_identity_mat3(), abut_make_vec3(0.0, 0.0, 0.0), 0);
    convex b = convex_place(pair->b, pair->rotation_b, pair->position_b, 0);
    abut_vec3 direction = start != NULL ? *start : extremal_start(&a, &b, pair->aside);
    extremal e;
    extremal_find(&a, &b, abut_unit(direction), INFINITY, &e);
    if (!e.settled) {
        if (!extremal_apart(&a, &b, abut_unit(direction), &e)) {
            extremal_ease(&a, &b, &e);
        }
        extremal_sharpen(&a, &b, &e);
    }
    if (!e.settled) {
        return ABUT_ERROR_ITERATION_LIMIT;
    }
    *found = (abut_extremal_pair){.on_a = abut_add_scaled(e.on_a, a.radius, e.direction),
                                  .on_b = abut_add_scaled(e.on_b, -b.radius, e.direction),
                                  .normal = abut_neg(e.direction),
                                  .gap = -e.height - a.radius - b.radius,
                                  .feature_a = feature_of_shape(&a, e.feature_a),
                                  .feature_b = feature_of_shape(&b, e.feature_b),
                                  .iterations = e.steps};
    return ABUT_OK;
}

static abut_status find_by_system(const collide_pair *pair, const abut_vec3 start[2], abut_extremal_pair *found) {
    bool known = system_knows(pair->a) && system_knows(pair->b);
    return known ? system_solve(pair, start, found) : ABUT_ERROR_UNSUPPORTED_PAIR;
}

abut_status abut_find_extremal_pair(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b,
                                    abut_extremal_method method, const abut_extremal_pair *start, abut_extremal_pair *pair) {
    collide_pair placed;
    abut_mat3 turn;
    abut_status status = pair == NULL ? ABUT_ERROR_INVALID_ARGUMENT : collide_place(a, pose_a, b, pose_b, NULL, &placed, &turn);
    if (status == ABUT_OK && start != NULL && !is_finite_pair(start)) {
        status = ABUT_ERROR_NOT_FINITE;
    }
    if (status != ABUT_OK) {
        return status;
    }
    abut_extremal_pair found;
    if (method == ABUT_EXTREMAL_NORMAL) {
        abut_vec3 direction = start != NULL ? abut_mul_transposed(turn, abut_neg(start->normal)) : abut_make_vec3(0.0, 0.0, 0.0);
        bool given = abut_length_squared(direction) > 0.0;
        status = find_by_normal(&placed, given ? &direction : NULL, &found);
    } else if (method == ABUT_EXTREMAL_SYSTEM) {
        abut_vec3 points[2];
        if (start != NULL) {
            points[0] = to_frame_of(turn, pose_a.position, start->on_a);
            points[1] = to_frame_of(turn, pose_a.position, start->on_b);
        }
        status = find_by_system(&placed, start != NULL ? points : NULL, &found);
    } else {
        status = ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (status == ABUT_OK) {
        found.on_a = abut_add(abut_mul(turn, found.on_a), pose_a.position);
        found.on_b = abut_add(abut_mul(turn, found.on_b), pose_a.position);
        found.normal = abut_unit(abut_mul(turn, found.normal));
        *pair = found;
    }
    return status;
}

/* ---- how it moves ---- */

static bool has_surface(const abut_shape *shape) { return shape_is_convex(shape) || shape->user != NULL; }

static bool is_finite_twist(abut_twist t) { return abut_is_finite_vec3(t.linear) && abut_is_finite_vec3(t.angular); }

static abut_status surface_of(const abut_shape *shape, abut_pose pose, abut_feature feature, abut_vec3 point, abut_vec3 outward,
                              abut_curvature *surface) {
    abut_mat3 turn = abut_mat3_from_quat(pose.rotation);
    abut_status status =
        contact_surface_find(shape, feature, to_frame_of(turn, pose.position, point), abut_mul_transposed(turn, outward), surface);
    if (status == ABUT_OK) {
        contact_surface_turn(surface, turn, pose.position);
    }
    return status;
}

abut_status abut_find_extremal_rates(const abut_shape *a, abut_pose pose_a, abut_twist motion_a, const abut_shape *b, abut_pose pose_b,
                                     abut_twist motion_b, const abut_extremal_pair *pair, abut_extremal_rates *rates) {
    if (a == NULL || b == NULL || pair == NULL || rates == NULL) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = collide_check_poses(&pose_a, &pose_b);
    if (status != ABUT_OK) {
        return status;
    }
    if (!is_finite_pair(pair) || !is_finite_twist(motion_a) || !is_finite_twist(motion_b)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (!has_surface(a) || !has_surface(b)) {
        return ABUT_ERROR_UNSUPPORTED_PAIR;
    }
    const abut_contact contact = {.on_a = pair->on_a, .on_b = pair->on_b, .normal = abut_unit(pair->normal), .gap = pair->gap};
    const abut_rigid_motion of_a = {.centre = pose_a.position, .velocity = motion_a.linear, .angular_velocity = motion_a.angular};
    const abut_rigid_motion of_b = {.centre = pose_b.position, .velocity = motion_b.linear, .angular_velocity = motion_b.angular};
    abut_curvature surface_a, surface_b;
    abut_rates found;
    status = surface_of(a, pose_a, pair->feature_a, pair->on_a, abut_neg(contact.normal), &surface_a);
    status = status == ABUT_OK ? surface_of(b, pose_b, pair->feature_b, pair->on_b, contact.normal, &surface_b) : status;
    status = status == ABUT_OK ? abut_contact_rates(&contact, &surface_a, &surface_b, &of_a, &of_b, &found) : status;
    if (status != ABUT_OK) {
        return status;
    }
    if ((found.flags & (ABUT_RATES_CONFORMING | ABUT_RATES_NORMAL_HELD)) != 0) {
        return ABUT_ERROR_DEGENERATE;
    }
    *rates = (abut_extremal_rates){found.gap_rate, found.normal_rate, found.on_a_rate, found.on_b_rate};
    return ABUT_OK;
}

abut_extremal_pair abut_predict_extremal_pair(const abut_extremal_pair *pair, const abut_extremal_rates *rates, double time) {
    abut_extremal_pair next = *pair;
    next.on_a = abut_add_scaled(pair->on_a, time, rates->on_a);
    next.on_b = abut_add_scaled(pair->on_b, time, rates->on_b);
    next.normal = abut_unit(abut_add_scaled(pair->normal, time, rates->normal));
    next.gap = pair->gap + time * rates->gap;
    return next;
}
