/* abut_extremal_find() and the rates of such a pair ([B90]): the points of two surfaces with opposite normals along their difference.
 * Gap: signed, along the normal from B into A. World frame in the public functions, the pair's frame (that of A) inside. */

#include <abut/extremal.h>
#include <abut/rates.h>

#include "base/argument.h"
#include "base/real.h"
#include "narrow/normal/extremal/extremal.h"
#include "narrow/normal/extremal/normal.h"
#include "narrow/normal/feature.h"
#include "shape/surface/contact_surface.h"
#include "narrow/query/extremal_system.h"
#include "narrow/query/rates.h"

static bool is_finite_pair(const abut_extremal *pair) {
    return abut_vec3_is_finite(pair->on_a) && abut_vec3_is_finite(pair->on_b) && abut_vec3_is_finite(pair->normal) && isfinite(pair->gap);
}

static abut_vec3 to_frame_of(abut_mat3 rotation, abut_vec3 position, abut_vec3 point) {
    return abut_mat3_apply_transposed(rotation, abut_sub(point, position));
}

/* Newton's method for the normal. Where it does not converge, minimisation without derivatives, followed by refinement. */
static abut_status find_by_normal(const collide_pair *pair, const abut_vec3 *start, abut_extremal *found) {
    if (!shape_is_convex(pair->a) || !shape_is_convex(pair->b) || !(smooth_is(pair->a) || smooth_is(pair->b))) {
        return ABUT_ERROR_UNSUPPORTED_PAIR;
    }
    convex a = convex_place(pair->a, abut_mat3_identity(), abut_vec3_make(0.0, 0.0, 0.0), 0);
    convex b = convex_place(pair->b, pair->rotation_b, pair->position_b, 0);
    abut_vec3 direction = start != NULL ? *start : extremal_start(&a, &b, pair->aside);
    extremal e;
    extremal_find(&a, &b, abut_unit(direction), INFINITY, &e);
    if (!e.settled) {
        extremal_without_derivatives(&a, &b, abut_unit(direction), &e);
    }
    if (!e.settled) {
        return ABUT_ERROR_ITERATION_LIMIT;
    }
    *found = (abut_extremal){.on_a = abut_add_scaled(e.on_a, a.radius, e.direction),
                             .on_b = abut_add_scaled(e.on_b, -b.radius, e.direction),
                             .normal = abut_neg(e.direction),
                             .gap = -e.height - a.radius - b.radius,
                             .feature_a = feature_of_shape(&a, e.feature_a),
                             .feature_b = feature_of_shape(&b, e.feature_b),
                             .iterations = e.steps};
    return ABUT_OK;
}

static abut_status find_by_system(const collide_pair *pair, const abut_vec3 start[2], abut_extremal *found) {
    bool known = system_knows(pair->a) && system_knows(pair->b);
    return known ? system_solve(pair, start, found) : ABUT_ERROR_UNSUPPORTED_PAIR;
}

/* Words for what the search found. */
static abut_status refuse_search(abut_status status, const char *call, const abut_pair *pair) {
    if (status == ABUT_ERROR_DEGENERATE) {
        return refuse(status, call, "pair: the equations are singular: the surfaces touch along a line, or fit into each other");
    }
    if (status == ABUT_ERROR_UNSUPPORTED_PAIR) {
        return refuse(status, call, "pair->a and pair->b are a %s and a %s: the method does not know this pair",
                      abut_kind_name(pair->a->kind), abut_kind_name(pair->b->kind));
    }
    return status;
}

abut_status abut_extremal_find(const abut_pair *pair, abut_extremal_method method, const abut_extremal *start, abut_extremal *extremal) {
    collide_pair placed;
    abut_mat3 turn;
    if (argument_is_null(CALL_NAME, "extremal", extremal)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = collide_place(pair, NULL, &placed, &turn);
    if (status != ABUT_OK) {
        return collide_refuse(status, CALL_NAME, -1, pair, NULL);
    }
    if (start != NULL && !is_finite_pair(start)) {
        return refuse(ABUT_ERROR_NOT_FINITE, CALL_NAME, "start has a point, a normal or a gap that is not finite");
    }
    abut_extremal found;
    if (method == ABUT_EXTREMAL_NORMAL) {
        abut_vec3 direction = start != NULL ? abut_mat3_apply_transposed(turn, abut_neg(start->normal)) : abut_vec3_make(0.0, 0.0, 0.0);
        bool given = abut_length_squared(direction) > 0.0;
        status = find_by_normal(&placed, given ? &direction : NULL, &found);
    } else if (method == ABUT_EXTREMAL_SYSTEM) {
        abut_vec3 points[2];
        if (start != NULL) {
            points[0] = to_frame_of(turn, pair->pose_a.position, start->on_a);
            points[1] = to_frame_of(turn, pair->pose_a.position, start->on_b);
        }
        status = find_by_system(&placed, start != NULL ? points : NULL, &found);
    } else {
        (void)refused_integer(CALL_NAME, "method", (int)method, "an abut_extremal_method");
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (status == ABUT_OK) {
        found.on_a = abut_add(abut_mat3_apply(turn, found.on_a), pair->pose_a.position);
        found.on_b = abut_add(abut_mat3_apply(turn, found.on_b), pair->pose_a.position);
        found.normal = abut_unit(abut_mat3_apply(turn, found.normal));
        *extremal = found;
    }
    return status == ABUT_OK ? ABUT_OK : refuse_search(status, CALL_NAME, pair);
}

/* ---- rates ---- */

static bool has_surface(const abut_shape *shape) { return shape_is_convex(shape) || shape->user != NULL; }

static bool is_finite_motion(abut_motion t) { return abut_vec3_is_finite(t.linear) && abut_vec3_is_finite(t.angular); }

static abut_status surface_of(const abut_shape *shape, abut_pose pose, abut_feature feature, abut_vec3 point, abut_vec3 outward,
                              abut_curvature *surface) {
    abut_mat3 turn = abut_mat3_from_quat(pose.rotation);
    abut_status status =
        contact_surface_find(shape, feature, to_frame_of(turn, pose.position, point), abut_mat3_apply_transposed(turn, outward), surface);
    if (status == ABUT_OK) {
        contact_surface_turn(surface, turn, pose.position);
    }
    return status;
}

abut_status abut_extremal_rates(const abut_pair *pair, abut_motion motion_a, abut_motion motion_b, const abut_extremal *extremal,
                                abut_rates *rates) {
    if (argument_is_null(CALL_NAME, "extremal", extremal) || argument_is_null(CALL_NAME, "rates", rates)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    if (pair == NULL || pair->a == NULL || pair->b == NULL) {
        return collide_refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME, -1, pair, NULL);
    }
    abut_status status = collide_check_poses(&pair->pose_a, &pair->pose_b);
    if (status != ABUT_OK) {
        return collide_refuse(status, CALL_NAME, -1, pair, NULL);
    }
    if (!is_finite_pair(extremal) || !is_finite_motion(motion_a) || !is_finite_motion(motion_b)) {
        const char *name = !is_finite_pair(extremal) ? "extremal" : !is_finite_motion(motion_a) ? "motion_a" : "motion_b";
        return refuse(ABUT_ERROR_NOT_FINITE, CALL_NAME, "%s has a number that is not finite", name);
    }
    if (!has_surface(pair->a) || !has_surface(pair->b)) {
        return collide_refuse(ABUT_ERROR_UNSUPPORTED_PAIR, CALL_NAME, -1, pair, NULL);
    }
    const abut_contact contact = {
        .on_a = extremal->on_a, .on_b = extremal->on_b, .normal = abut_unit(extremal->normal), .gap = extremal->gap};
    const abut_kinematics of_a = {.centre = pair->pose_a.position, .velocity = motion_a};
    const abut_kinematics of_b = {.centre = pair->pose_b.position, .velocity = motion_b};
    abut_curvature surface_a, surface_b;
    abut_rates found;
    status = surface_of(pair->a, pair->pose_a, extremal->feature_a, extremal->on_a, abut_neg(contact.normal), &surface_a);
    status =
        status == ABUT_OK ? surface_of(pair->b, pair->pose_b, extremal->feature_b, extremal->on_b, contact.normal, &surface_b) : status;
    status = status == ABUT_OK ? contact_rates_find(NULL, &contact, &surface_a, &surface_b, &of_a, &of_b, &found) : status;
    if (status == ABUT_OK && (found.flags & (ABUT_RATES_CONFORMING | ABUT_RATES_NORMAL_HELD)) != 0) {
        status = ABUT_ERROR_DEGENERATE;
    }
    if (status == ABUT_ERROR_DEGENERATE) {
        return refuse(status, CALL_NAME, "extremal: the surfaces fit into each other there, so that the pair is not the only one near by");
    }
    if (status != ABUT_OK) {
        return refuse(status, CALL_NAME, "extremal is no pair of these shapes at these poses, or its rates overflow");
    }
    *rates = found;
    return ABUT_OK;
}

abut_extremal abut_extremal_predict(const abut_extremal *extremal, const abut_rates *rates, double time) {
    abut_extremal next = *extremal;
    next.on_a = abut_add_scaled(extremal->on_a, time, rates->on_a_rate);
    next.on_b = abut_add_scaled(extremal->on_b, time, rates->on_b_rate);
    next.normal = abut_unit(abut_add_scaled(extremal->normal, time, rates->normal_rate));
    next.gap = extremal->gap + time * rates->gap_rate;
    return next;
}
