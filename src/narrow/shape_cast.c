/*
 * abut_shape_cast: every part of one body is advanced against every part of the other, as far as the earliest touch found so far. Seen from
 * A's origin, with the axes of the world.
 */

#include <abut/query.h>

#include "narrow/advance.h"

typedef struct moving_body {
    const abut_shape *shape;
    abut_pose pose;
    abut_motion motion;
} moving_body;

/* What is asked; a plane is B. */
typedef struct shape_cast {
    moving_body a, b;
    bool swapped;  /* they are the caller's B and A */
    bool touching; /* at first */
    double tolerance;
    normal_settings settings;
} shape_cast;

/* The answer so far. */
typedef struct cast_state {
    const shape_cast *cast;
    body_parts a, b;   /* as they are at first, each from its own origin */
    abut_vec3 apart;   /* from A's origin to B's */
    abut_vec3 travel;  /* how that changes over the whole motion */
    advance_end first; /* the earliest touch, if its outcome is a hit; else its fraction is 1 */
    double limit;      /* the least fraction up to which a pair of parts was found safe but not followed to its end; infinite for none */
    int32_t steps;
} cast_state;

/* ---- part by part ---- */

/* How far a turn takes a point that is so far from the origin, at most. */
static double way_of_turn(double distance, abut_vec3 turn) {
    return fmin(abut_length(turn), 2.0) * distance;
}

/* Surely no touch before the earliest one so far: the balls about the parts stay apart along the line of their centres. */
static bool stay_apart(const cast_state *state, const part_ball *a, const part_ball *b) {
    abut_vec3 between = abut_sub(a->centre, abut_add(b->centre, state->apart));
    double distance = abut_length(between);
    double approach = distance > 0.0 ? fmax(abut_dot(between, state->travel) / distance, 0.0) * state->first.fraction : 0.0;
    double turning = way_of_turn(abut_length(a->centre), state->cast->a.motion.rotation) +
                     way_of_turn(abut_length(b->centre), state->cast->b.motion.rotation);
    return distance - a->radius - b->radius - approach - turning > state->cast->tolerance;
}

static moving_pair pair_of_parts(const cast_state *state, int32_t i, int32_t j) {
    const shape_cast *cast = state->cast;
    moving_pair pair = {.apart = state->apart, .travel = state->travel, .settings = cast->settings};
    pair.a = mover_make(&state->a.part[i], cast->a.motion.rotation);
    pair.plane = state->b.is_plane;
    if (pair.plane) {
        pair.outward = state->b.outward;
        pair.offset = state->b.offset;
        pair.b.turn = cast->b.motion.rotation;
    } else {
        pair.b = mover_make(&state->b.part[j], cast->b.motion.rotation);
    }
    return pair;
}

static void advance_parts(cast_state *state, int32_t i, int32_t j) {
    if (!state->b.is_plane && stay_apart(state, &state->a.ball[i], &state->b.ball[j])) {
        return;
    }
    moving_pair pair = pair_of_parts(state, i, j);
    advance_end end = advance(&pair, state->cast->tolerance, state->first.fraction);
    bool earlier = state->first.outcome != ADVANCE_HIT || end.fraction < state->first.fraction;
    state->steps += end.steps;
    if (end.outcome == ADVANCE_HIT && earlier) {
        state->first = end;
    } else if (end.outcome == ADVANCE_LIMIT) {
        state->limit = fmin(state->limit, end.fraction);
    }
}

static void advance_bodies(cast_state *state) {
    int32_t count_b = state->b.is_plane ? 1 : state->b.count;
    for (int32_t i = 0; i < state->a.count; ++i) {
        for (int32_t j = 0; j < count_b; ++j) {
            advance_parts(state, i, j);
        }
    }
}

/* ---- the answer ---- */

static abut_hit hit_of(const abut_separation *separation, double fraction, abut_vec3 origin) {
    return (abut_hit){.hit = true,
                      .fraction = fraction,
                      .point = abut_add(separation->on_b, origin),
                      .normal = abut_unit(separation->normal),
                      .feature_a = separation->feature_a,
                      .feature_b = separation->feature_b};
}

static abut_status read_answer(const cast_state *state, abut_hit *hit) {
    const shape_cast *cast = state->cast;
    double fraction = state->first.fraction;
    bool unfinished = state->limit < fraction;
    *hit = (abut_hit){.fraction = unfinished ? state->limit : fraction};
    if (!unfinished && state->first.outcome == ADVANCE_HIT) {
        abut_separation met = cast->swapped ? separation_swap(state->first.separation) : state->first.separation;
        *hit = hit_of(&met, fraction, abut_add_scaled(cast->a.pose.position, fraction, cast->a.motion.translation));
        hit->started_inside = cast->touching && fraction == 0.0;
    }
    hit->iterations = state->steps;
    return unfinished ? ABUT_ERROR_ITERATION_LIMIT : ABUT_OK;
}

static abut_status advance_cast(const shape_cast *cast, abut_hit *hit) {
    const abut_vec3 origin = {0, 0, 0};
    cast_state state = {.cast = cast, .first = {.outcome = ADVANCE_MISS, .fraction = 1.0}, .limit = INFINITY};
    state.apart = abut_sub(cast->b.pose.position, cast->a.pose.position);
    state.travel = abut_sub(cast->b.motion.translation, cast->a.motion.translation);
    bool placed = parts_place(cast->a.shape, abut_mat3_from_quat(cast->a.pose.rotation), origin, &state.a) &&
                  parts_place(cast->b.shape, abut_mat3_from_quat(cast->b.pose.rotation), origin, &state.b);
    if (placed) {
        advance_bodies(&state);
    }
    abut_status status = placed ? read_answer(&state, hit) : ABUT_ERROR_OUT_OF_MEMORY;
    parts_free(&state.a);
    parts_free(&state.b);
    return status;
}

/* ---- before the motion ---- */

static bool is_finite_motion(abut_motion motion) {
    return abut_is_finite_vec3(motion.translation) && isfinite(abut_length(motion.rotation));
}

static bool stands_still(abut_motion motion) {
    abut_vec3 t = motion.translation, r = motion.rotation;
    return t.x == 0.0 && t.y == 0.0 && t.z == 0.0 && r.x == 0.0 && r.y == 0.0 && r.z == 0.0;
}

static double smaller_size(const abut_shape *a, const abut_shape *b) {
    return a->kind == ABUT_SHAPE_PLANE ? b->size : b->kind == ABUT_SHAPE_PLANE ? a->size : fmin(a->size, b->size);
}

/* The answer of bodies that overlap at first, from their separation in the pair's frame. */
static abut_hit hit_at_start(abut_separation separation, abut_mat3 rotation, abut_vec3 position) {
    separation.on_b = abut_mul(rotation, separation.on_b);
    separation.normal = abut_mul(rotation, separation.normal);
    abut_hit hit = hit_of(&separation, 0.0, position);
    hit.started_inside = true;
    return hit;
}

static abut_status cast_bodies(const collide_pair *pair, abut_mat3 rotation_a, const moving_body *a, const moving_body *b, double tolerance,
                               abut_hit *hit) {
    abut_separation start;
    abut_status status = separation_find(pair, &start);
    if (status != ABUT_OK) {
        return status;
    }
    bool touching = start.distance <= 0.0, still = stands_still(a->motion) && stands_still(b->motion);
    if (start.distance < -CONTACT_ROUNDING * (a->shape->size + b->shape->size) || (touching && still)) {
        *hit = hit_at_start(start, rotation_a, a->pose.position);
        return ABUT_OK;
    }
    if (still) {
        *hit = (abut_hit){.fraction = 1.0};
        return ABUT_OK;
    }
    bool swapped = a->shape->kind == ABUT_SHAPE_PLANE;
    shape_cast cast = {.a = swapped ? *b : *a, .b = swapped ? *a : *b, .swapped = swapped, .touching = touching};
    cast.tolerance = tolerance > 0.0 ? tolerance : 1e-6 * smaller_size(a->shape, b->shape);
    cast.settings = pair->normal;
    cast.settings.aside = abut_mul(rotation_a, cast.settings.aside);
    return advance_cast(&cast, hit);
}

abut_status abut_shape_cast(const abut_shape *a, abut_pose pose_a, abut_motion motion_a, const abut_shape *b, abut_pose pose_b,
                            abut_motion motion_b, double tolerance, abut_hit *hit) {
    collide_pair pair;
    abut_mat3 rotation_a;
    abut_status status = hit == NULL ? ABUT_ERROR_INVALID_ARGUMENT : collide_place(a, pose_a, b, pose_b, NULL, &pair, &rotation_a);
    if (status != ABUT_OK) {
        return status;
    }
    /* Where squares of lengths overflow, nothing can be said either. */
    double reach = abut_length(pair.position_b) + abut_distance_between(motion_a.translation, motion_b.translation);
    if (!is_finite_motion(motion_a) || !is_finite_motion(motion_b) || !isfinite(tolerance) || !isfinite(reach)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (tolerance < 0.0) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    moving_body body_a = {a, pose_a, motion_a}, body_b = {b, pose_b, motion_b};
    return cast_bodies(&pair, rotation_a, &body_a, &body_b, tolerance, hit);
}
