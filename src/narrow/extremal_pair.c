/* abut_find_extremal_pair() and how a pair moves: by the radii R_A, R_B of both surfaces in the tangent plane. */

#include <abut/extremal.h>
#include <abut/smooth.h>

#include "base/real.h"
#include "narrow/extremal.h"
#include "narrow/extremal_system.h"
#include "narrow/feature.h"
#include "narrow/smooth_normal.h"

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

/* A symmetric matrix in the tangent plane. */
typedef struct planar_matrix {
    double xx, xy, yy;
} planar_matrix;

typedef struct planar_vector {
    double x, y;
} planar_vector;

static planar_vector times(planar_matrix m, planar_vector v) { return (planar_vector){m.xx * v.x + m.xy * v.y, m.xy * v.x + m.yy * v.y}; }

/* The curvature of a surface at a point with that outward normal; world frame. An infinite radius is replaced by one as good as that. */
static abut_status curvature_of(const abut_shape *shape, abut_pose pose, abut_vec3 point, abut_vec3 outward, abut_feature feature,
                                abut_curvature *c) {
    const double infinite = 1e10;
    abut_mat3 turn = abut_mat3_from_quat(pose.rotation);
    abut_status status = shape->user != NULL && !shape->convex ? abut_shape_curvature_at(shape, to_frame_of(turn, pose.position, point), c)
                                                               : abut_shape_curvature(shape, abut_mul_transposed(turn, outward), c);
    for (int i = 0; i < 2 && status == ABUT_OK; ++i) {
        /* A vertex or edge has a normal of a whole cell: which feature it is, the pair knows better. */
        c->radius[i] = feature.kind == ABUT_FEATURE_VERTEX ? 0.0 : isfinite(c->radius[i]) ? c->radius[i] : infinite * shape->size;
        c->direction[i] = abut_mul(turn, c->direction[i]);
    }
    return status;
}

/* Axes of the tangent plane, the first along the largest radius: across it nothing is then rounded by a radius that is as good as infinite. */
static void tangents_of(abut_vec3 n, const abut_curvature c[2], abut_vec3 *u, abut_vec3 *v) {
    abut_vec3 flattest = {0.0, 0.0, 0.0};
    double largest = 0.0;
    for (int i = 0; i < 4; ++i) {
        if (c[i / 2].radius[i % 2] > largest) {
            largest = c[i / 2].radius[i % 2];
            flattest = c[i / 2].direction[i % 2];
        }
    }
    *u = abut_unit(abut_add_scaled(flattest, -abut_dot(flattest, n), n));
    *v = abut_cross(n, *u);
    if (!(abut_length_squared(*u) > 0.5)) {
        abut_tangent_frame(n, u, v);
    }
}

/* The radii along u and v. */
static planar_matrix radii_of(const abut_curvature *c, abut_vec3 u, abut_vec3 v) {
    planar_matrix radii = {0.0, 0.0, 0.0};
    for (int i = 0; i < 2; ++i) {
        double r = c->radius[i], x = abut_dot(c->direction[i], u), y = abut_dot(c->direction[i], v);
        radii.xx += r * x * x;
        radii.xy += r * x * y;
        radii.yy += r * y * y;
    }
    return radii;
}

static abut_vec3 velocity_at(abut_pose pose, abut_twist motion, abut_vec3 point) {
    return abut_add(motion.linear, abut_cross(motion.angular, abut_sub(point, pose.position)));
}

static bool has_surface(const abut_shape *shape) { return shape_is_convex(shape) || shape->user != NULL; }

static bool is_finite_twist(abut_twist t) { return abut_is_finite_vec3(t.linear) && abut_is_finite_vec3(t.angular); }

/*
 * With the gap d, v the relative velocity at A's point along the tangent plane, w = n x (w_A - w_B) there and Q = (R_A + R_B + d)^-1, the
 * normal turns against B by y = Q (v - R_A w), and the points run along with R_B y and (R_B + d) y. The same as by curvatures, without
 * their inverses.
 */
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
    abut_vec3 n = abut_unit(pair->normal), u, v;
    if (!(abut_length_squared(n) > 0.5)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_curvature c[2];
    status = curvature_of(a, pose_a, pair->on_a, abut_neg(n), pair->feature_a, &c[0]);
    status = status == ABUT_OK ? curvature_of(b, pose_b, pair->on_b, n, pair->feature_b, &c[1]) : status;
    if (status != ABUT_OK) {
        return status;
    }
    tangents_of(n, c, &u, &v);
    planar_matrix ra = radii_of(&c[0], u, v), rb = radii_of(&c[1], u, v);
    abut_vec3 on_b_at_a = velocity_at(pose_b, motion_b, pair->on_a),
              relative = abut_sub(velocity_at(pose_a, motion_a, pair->on_a), on_b_at_a);
    abut_vec3 turning = abut_cross(n, abut_sub(motion_a.angular, motion_b.angular));
    planar_vector along = {abut_dot(u, relative), abut_dot(v, relative)}, w = {abut_dot(u, turning), abut_dot(v, turning)},
                  rw = times(ra, w);
    planar_matrix sum = {ra.xx + rb.xx + pair->gap, ra.xy + rb.xy, ra.yy + rb.yy + pair->gap};
    double det = sum.xx * sum.yy - sum.xy * sum.xy, least = 1e-12 * real_max(fabs(sum.xx * sum.yy), pair->gap * pair->gap);
    if (!(fabs(det) > least)) {
        return ABUT_ERROR_DEGENERATE;
    }
    planar_vector off = {along.x - rw.x, along.y - rw.y};
    planar_vector y = {(sum.yy * off.x - sum.xy * off.y) / det, (sum.xx * off.y - sum.xy * off.x) / det}, by = times(rb, y);
    double rate = abut_dot(n, relative);
    abut_extremal_rates found = {.gap = rate};
    found.normal = abut_add(abut_cross(motion_b.angular, n), abut_add_scaled(abut_scale(y.x, u), y.y, v));
    found.on_b = abut_add(velocity_at(pose_b, motion_b, pair->on_b), abut_add_scaled(abut_scale(by.x, u), by.y, v));
    planar_vector ay = {by.x + pair->gap * y.x, by.y + pair->gap * y.y};
    found.on_a = abut_add_scaled(abut_add(on_b_at_a, abut_add_scaled(abut_scale(ay.x, u), ay.y, v)), rate, n);
    *rates = found;
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
