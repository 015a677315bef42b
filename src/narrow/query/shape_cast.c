/*
 * abut_shape_cast(). Every part of one body is advanced against every part of the other, up to the earliest touch found so far. The result
 * at the touch is that of abut_distance() at that moment. World frame; normals point from B into A.
 */

#include "narrow/query/shape_cast.h"

#include <string.h>

#include "base/argument.h"
#include "base/real.h"
#include "narrow/curved/curved.h"
#include "narrow/generators.h"
#include "narrow/normal/convex_parts.h"
#include "narrow/query/advance.h"
#include "narrow/query/distance.h"
#include "narrow/query/facet_cast.h"
#include "narrow/query/mesh_cast.h"
#include "narrow/query/separation.h"
#include "narrow/solids.h"
#include "shape/closed/convex_mesh.h"
#include "shape/closed/convex_names.h"
#include "shape/trimesh.h"

/* The earliest touch of the parts of two bodies so far. Only B may be a plane. Positions are relative to A's pivot, along the axes of the
 * world. */
typedef struct cast_state {
    const moving_body *body_a, *body_b;
    convex_parts a, b; /* initial parts, each relative to its own pivot */
    abut_vec3 apart;   /* from A's pivot to B's, initially */
    abut_vec3 travel;  /* change of `apart` over the whole motion */
    double tolerance;
    double depth; /* 0: up to the touch */
    normal_settings settings;
    bool hit, touching;
    double fraction; /* of the earliest touch; 1 for none */
    double
        limit; /* smallest fraction up to which a pair was proved safe without being followed to its end; the cast ends there; infinite for none */
    int32_t steps;
} cast_state;

/* ---- pivots ---- */

/* The frame's origin relative to the pivot, initially. */
static abut_vec3 origin_of(const moving_body *body) { return abut_neg(abut_quat_rotate(body->pose.rotation, body->pivot)); }

/* ---- part by part ---- */

/* Upper bound of how far a rotation moves a point at a given distance from the origin. */
static double way_of_turn(double distance, abut_vec3 turn) { return real_min_number(abut_length(turn), 2.0) * distance; }

/* Whether no touch before the earliest one so far is proved: the parts' bounding balls stay apart along the line of their centres. */
static bool stay_apart(const cast_state *state, const part_ball *a, const part_ball *b) {
    abut_vec3 between = abut_sub(a->centre, abut_add(b->centre, state->apart));
    double distance = abut_length(between);
    double approach = distance > 0.0 ? real_max_number(abut_dot(between, state->travel) / distance, 0.0) * state->fraction : 0.0;
    double turning = way_of_turn(abut_length(a->centre), state->body_a->motion.angular) +
                     way_of_turn(abut_length(b->centre), state->body_b->motion.angular);
    return distance - a->radius - b->radius - approach - turning > state->tolerance;
}

static moving_pair pair_of_parts(const cast_state *state, int32_t i, int32_t j) {
    moving_pair pair = {.apart = state->apart, .travel = state->travel, .settings = state->settings};
    pair.a = mover_make(&state->a.part[i], state->body_a->motion.angular);
    pair.plane = state->b.is_plane;
    if (pair.plane) {
        pair.outward = state->b.outward;
        pair.offset = state->b.offset;
        pair.b.turn = state->body_b->motion.angular;
    } else {
        pair.b = mover_make(&state->b.part[j], state->body_b->motion.angular);
    }
    return pair;
}

static bool are_twins(const convex *p, const convex *q) {
    return p->shape == q->shape && memcmp(&p->position, &q->position, sizeof p->position) == 0 &&
           memcmp(&p->rotation, &q->rotation, sizeof p->rotation) == 0;
}

/* Whether an earlier part is the same body. Its answer is known: twins of n parts on either side would ask n^2 times. */
static bool has_earlier_twin(const convex_parts *parts, int32_t index) {
    for (int32_t i = 0; i < index; ++i) {
        if (are_twins(&parts->part[i], &parts->part[index])) {
            return true;
        }
    }
    return false;
}

static void advance_parts(cast_state *state, int32_t i, int32_t j) {
    if (!state->b.is_plane && stay_apart(state, &state->a.ball[i], &state->b.ball[j])) {
        return;
    }
    if (has_earlier_twin(&state->a, i) || (!state->b.is_plane && has_earlier_twin(&state->b, j))) {
        return;
    }
    const double last = real_min(state->fraction, state->limit);
    moving_pair pair = pair_of_parts(state, i, j);
    advance_end end = state->depth > 0.0 ? advance_to_depth(&pair, state->depth, last) : advance(&pair, state->tolerance, last);
    state->steps += end.steps;
    if (end.outcome == ADVANCE_HIT) {
        state->hit = true;
        state->touching = end.touching;
        state->fraction = end.fraction;
    } else if (end.outcome == ADVANCE_LIMIT) {
        state->limit = real_min_number(state->limit, end.fraction);
    }
}

static abut_status advance_bodies(cast_state *state) {
    const moving_body *a = state->body_a, *b = state->body_b;
    bool placed = convex_parts_place(a->shape, abut_mat3_from_quat(a->pose.rotation), origin_of(a), &state->a) &&
                  convex_parts_place(b->shape, abut_mat3_from_quat(b->pose.rotation), origin_of(b), &state->b);
    int32_t count_a = placed ? state->a.count : 0, count_b = state->b.is_plane ? 1 : state->b.count;
    for (int32_t i = 0; i < count_a; ++i) {
        for (int32_t j = 0; j < count_b; ++j) {
            advance_parts(state, i, j);
        }
    }
    convex_parts_free(&state->a);
    convex_parts_free(&state->b);
    return placed ? ABUT_OK : ABUT_ERROR_OUT_OF_MEMORY;
}

/* An upper bound of how far the points of a bounded body are from its pivot. */
static double farthest_from_pivot(const moving_body *body) {
    const abut_aabb *box = &body->shape->bounds;
    abut_vec3 low = abut_sub(body->pivot, box->lower), high = abut_sub(box->upper, body->pivot);
    abut_vec3 far = abut_vec3_make(real_max(low.x, high.x), real_max(low.y, high.y), real_max(low.z, high.z));
    return abut_length(far);
}

/* ---- one moment ---- */

abut_pose shape_cast_pose(const moving_body *body, double fraction) {
    return moving_pose_about(body, abut_add_scaled(moving_pivot(body), fraction, body->motion.linear), fraction);
}

/* The result of abut_distance() for a pair, relative to the pair's origin and along the axes of the world. */
static abut_status separation_of(const collide_pair *pair, abut_mat3 rotation_a, bool apart, abut_separation *separation) {
    abut_status status = distance_find(pair, apart, separation);
    if (status == ABUT_OK) {
        separation->on_b = abut_mat3_apply(rotation_a, separation->on_b);
        separation->normal = abut_unit(abut_mat3_apply(rotation_a, separation->normal));
    }
    return status;
}

/* Relative to A's pivot at that moment. */
static abut_status separation_at(const moving_body *a, const moving_body *b, double fraction, bool apart, abut_separation *separation) {
    abut_vec3 travel = abut_sub(b->motion.linear, a->motion.linear);
    abut_vec3 between = abut_add_scaled(abut_sub(moving_pivot(b), moving_pivot(a)), fraction, travel);
    collide_pair pair;
    abut_mat3 rotation;
    abut_pose pose_a = moving_pose_about(a, abut_vec3_make(0, 0, 0), fraction), pose_b = moving_pose_about(b, between, fraction);
    abut_status status = solids_place(&(abut_pair){a->shape, pose_a, b->shape, pose_b}, NULL, &pair, &rotation);
    status = status == ABUT_OK ? separation_of(&pair, rotation, apart, separation) : status;
    if (status == ABUT_OK) {
        separation->on_b = abut_add(separation->on_b, pose_a.position);
    }
    return status;
}

/* separation: relative to A's pivot at the fraction */
static abut_hit hit_of(const abut_separation *separation, const moving_body *a, double fraction) {
    abut_vec3 origin = abut_add_scaled(moving_pivot(a), fraction, a->motion.linear);
    return (abut_hit){.hit = true,
                      .fraction = fraction,
                      .point = abut_add(separation->on_b, origin),
                      .normal = separation->normal,
                      .feature_a = separation->feature_a,
                      .feature_b = separation->feature_b};
}

static bool stands_still(abut_motion motion) {
    abut_vec3 t = motion.linear, r = motion.angular;
    return t.x == 0.0 && t.y == 0.0 && t.z == 0.0 && r.x == 0.0 && r.y == 0.0 && r.z == 0.0;
}

/* ---- solids and what is inside ---- */

static moving_body with_shape(const moving_body *body, const abut_shape *shape) {
    moving_body other = *body;
    other.shape = shape;
    return other;
}

/* A closed convex mesh as its polytope. */
static moving_body as_solid(const moving_body *body) {
    return with_shape(body, solids_is_one(body->shape) ? body->shape->mesh->convex->solid : body->shape);
}

/* Any closed mesh as what is inside. */
static moving_body as_inside(const moving_body *body) {
    bool balls = body->shape->kind == ABUT_SHAPE_TRIMESH && body->shape->mesh->inside != NULL;
    return balls ? with_shape(body, body->shape->mesh->inside) : as_solid(body);
}

/* A smooth body that is not convex as its triangles. It has some. */
static moving_body as_stand_in(const moving_body *body) { return with_shape(body, curved_stand_in(body->shape)); }

static bool are_meshes(const moving_body *a, const moving_body *b) {
    return a->shape->kind == ABUT_SHAPE_TRIMESH && b->shape->kind == ABUT_SHAPE_TRIMESH;
}

/* ---- the cast ---- */

/* Only A or B may be a plane. */
static cast_state cast_begin(const moving_body *a, const moving_body *b, const normal_settings *settings) {
    bool swapped = a->shape->kind == ABUT_SHAPE_PLANE;
    cast_state state = {.body_a = swapped ? b : a, .body_b = swapped ? a : b, .settings = *settings, .fraction = 1.0, .limit = INFINITY};
    state.apart = abut_sub(moving_pivot(state.body_b), moving_pivot(state.body_a));
    state.travel = abut_sub(state.body_b->motion.linear, state.body_a->motion.linear);
    return state;
}

static abut_status cast_apart(const moving_body *a, const moving_body *b, const normal_settings *settings, double tolerance,
                              const abut_separation *start, abut_hit *hit) {
    const moving_body solid_a = as_solid(a), solid_b = as_solid(b);
    cast_state state = cast_begin(&solid_a, &solid_b, settings);
    state.tolerance = tolerance;
    abut_status status = advance_bodies(&state);
    bool unfinished = state.limit < state.fraction;
    abut_hit found = {.fraction = unfinished ? state.limit : state.fraction};
    if (status == ABUT_OK && state.hit && !unfinished) {
        abut_separation met = *start;
        status = state.fraction > 0.0 ? separation_at(a, b, state.fraction, !state.touching, &met) : ABUT_OK;
        found = hit_of(&met, a, state.fraction);
        found.started_inside = state.fraction == 0.0 && start->gap <= 0.0;
    }
    if (status == ABUT_OK) {
        found.iterations = state.steps;
        *hit = found;
    }
    return status == ABUT_OK && unfinished ? ABUT_ERROR_ITERATION_LIMIT : status;
}

/* ---- with a mesh ---- */

static abut_hit hit_of_touch(const mesh_touch *touch, const moving_body *a, const moving_body *b, bool swapped) {
    abut_separation met = swapped ? separation_swapped(touch->met) : touch->met; /* relative to the body's pivot */
    if (swapped) {
        abut_vec3 travel = abut_sub(b->motion.linear, a->motion.linear);
        abut_vec3 apart = abut_add_scaled(abut_sub(moving_pivot(b), moving_pivot(a)), touch->fraction, travel);
        met.on_b = abut_add(met.on_b, apart);
    }
    return hit_of(&met, a, touch->fraction);
}

/* Whether A takes the role of the mesh. Of two meshes the smaller one is the body: the boxes about its triangles, along the axes of the other mesh, are
 * small. */
static bool is_mesh_first(const abut_shape *a, const abut_shape *b) {
    bool both = a->kind == ABUT_SHAPE_TRIMESH && b->kind == ABUT_SHAPE_TRIMESH;
    return both ? a->size > b->size : a->kind == ABUT_SHAPE_TRIMESH;
}

static mesh_cast mesh_cast_begin(const moving_body *a, const moving_body *b, const normal_settings *settings) {
    bool swapped = is_mesh_first(a->shape, b->shape);
    const moving_body *body = swapped ? b : a, *mesh = swapped ? a : b;
    mesh_cast cast = {.body = body->shape, .mesh = mesh->shape, .settings = *settings};
    cast.body_rotation = abut_mat3_from_quat(body->pose.rotation);
    cast.mesh_rotation = abut_mat3_from_quat(mesh->pose.rotation);
    cast.body_turn = body->motion.angular;
    cast.mesh_turn = mesh->motion.angular;
    cast.body_pivot = body->pivot;
    cast.mesh_pivot = mesh->pivot;
    cast.apart = abut_sub(moving_pivot(mesh), moving_pivot(body));
    cast.travel = abut_sub(mesh->motion.linear, body->motion.linear);
    cast.settings.minimum = true;
    return cast;
}

/* Bodies that are no deeper in each other at the start touch. */
static double start_rounding(const moving_body *a, const moving_body *b) { return CONTACT_ROUNDING * (a->shape->size + b->shape->size); }

static abut_status cast_mesh(const moving_body *a, const moving_body *b, const normal_settings *settings, double tolerance,
                             const abut_separation *start, abut_hit *hit) {
    mesh_cast cast = mesh_cast_begin(a, b, settings);
    cast.tolerance = tolerance;
    cast.rounding = start_rounding(a, b);
    mesh_touch touch;
    abut_status status = mesh_cast_find(&cast, &touch);
    if (status != ABUT_OK) {
        return status;
    }
    abut_hit found = {.fraction = touch.fraction};
    if (touch.outcome == ADVANCE_HIT) {
        found = hit_of_touch(&touch, a, b, is_mesh_first(a->shape, b->shape));
        found.started_inside = touch.fraction == 0.0 && start->gap <= 0.0;
    }
    found.iterations = touch.steps;
    *hit = found;
    return touch.outcome == ADVANCE_LIMIT ? ABUT_ERROR_ITERATION_LIMIT : ABUT_OK;
}

/* The name in a closed convex mesh of the feature of its solid. */
static abut_feature named_in(const moving_body *body, abut_feature feature, const abut_hit *hit) {
    abut_vec3 point = abut_pose_apply_inverse(shape_cast_pose(body, hit->fraction), hit->point);
    return solids_is_one(body->shape) ? convex_mesh_name(body->shape->mesh, feature, point) : feature;
}

/* Two meshes, not both closed and convex. One that is so is cast as its solid: flat triangles that lie on each other pass through each other. */
static abut_status cast_meshes(const moving_body *a, const moving_body *b, const normal_settings *settings, double tolerance,
                               const abut_separation *start, abut_hit *hit) {
    const moving_body solid_a = as_solid(a), solid_b = as_solid(b);
    abut_status status = cast_mesh(&solid_a, &solid_b, settings, tolerance, start, hit);
    if (status == ABUT_OK && hit->hit) {
        hit->feature_a = named_in(a, hit->feature_a, hit);
        hit->feature_b = named_in(b, hit->feature_b, hit);
    }
    return status;
}

/* ---- smooth bodies that are not convex ---- */

/* How far a point of the other body can be from the pivot, while it is the pair's nearest point to a plane that turns. */
static double reach_of_plane(const moving_body *plane, const moving_body *body) {
    return abut_distance_between(moving_pivot(plane), moving_pivot(body)) +
           abut_distance_between(plane->motion.linear, body->motion.linear) + farthest_from_pivot(body);
}

/* A bound of the speed at which both bodies approach each other. */
static double most_speed(const moving_body *a, const moving_body *b) {
    double speed = abut_distance_between(a->motion.linear, b->motion.linear);
    const moving_body *of[2] = {a, b};
    for (int i = 0; i < 2; ++i) {
        bool plane = of[i]->shape->kind == ABUT_SHAPE_PLANE;
        speed += abut_length(of[i]->motion.angular) * (plane ? reach_of_plane(of[i], of[1 - i]) : farthest_from_pivot(of[i]));
    }
    return speed;
}

/* The nearest contact within a margin, relative to A's pivot; the gap is infinite where there is none. */
static abut_status nearest_within(const moving_body *a, const moving_body *b, double fraction, double margin, abut_separation *nearest) {
    abut_vec3 travel = abut_sub(b->motion.linear, a->motion.linear);
    abut_vec3 between = abut_add_scaled(abut_sub(moving_pivot(b), moving_pivot(a)), fraction, travel);
    abut_pose pose_a = moving_pose_about(a, abut_vec3_make(0, 0, 0), fraction), pose_b = moving_pose_about(b, between, fraction);
    collide_pair pair;
    abut_mat3 rotation;
    bool out_of_memory = false;
    *nearest = (abut_separation){.gap = INFINITY};
    abut_status status = solids_place(&(abut_pair){a->shape, pose_a, b->shape, pose_b}, NULL, &pair, &rotation);
    pair.normal.margin = margin;
    if (status == ABUT_OK && separation_deepest(&pair, nearest, &out_of_memory)) {
        nearest->on_b = abut_add(abut_mat3_apply(rotation, nearest->on_b), pose_a.position);
        nearest->normal = abut_unit(abut_mat3_apply(rotation, nearest->normal));
    }
    return out_of_memory ? ABUT_ERROR_OUT_OF_MEMORY : status;
}

/* From a fraction before the touch on, by conservative advancement with the exact distance, as far as that is within a margin. */
static abut_status advance_curved(const moving_body *a, const moving_body *b, double tolerance, double margin, double from, abut_hit *hit) {
    enum { MOST_STEPS = 1000 };
    double speed = most_speed(a, b), fraction = from;
    for (int i = 0; i < MOST_STEPS; ++i) {
        abut_separation s;
        abut_status status = nearest_within(a, b, fraction, margin, &s);
        if (status != ABUT_OK) {
            return status;
        }
        if (s.gap <= tolerance) {
            *hit = hit_of(&s, a, fraction);
            hit->iterations = i + 1;
            return ABUT_OK;
        }
        fraction += (real_min(s.gap, margin) - 0.5 * tolerance) / speed;
        if (!(fraction <= 1.0)) {
            *hit = (abut_hit){.fraction = 1.0, .iterations = i + 1};
            return ABUT_OK;
        }
    }
    *hit = (abut_hit){.fraction = fraction, .iterations = MOST_STEPS};
    return ABUT_ERROR_ITERATION_LIMIT;
}

/* Until their triangles are as near as the surfaces may be, the bodies do not touch. A cast stops between half of its tolerance and all of it. */
static abut_status cast_curved(const moving_body *a, const moving_body *b, const normal_settings *settings, double tolerance,
                               const abut_separation *start, abut_hit *hit) {
    const moving_body stand_a = as_stand_in(a), stand_b = as_stand_in(b);
    double near = tolerance + curved_error(a->shape) + curved_error(b->shape);
    abut_hit first = {.fraction = 0.0};
    if (start->gap > 3.0 * near + start_rounding(a, b)) {
        abut_separation apart = *start;
        abut_status status = are_meshes(&stand_a, &stand_b) ? cast_meshes(&stand_a, &stand_b, settings, 2.0 * near, &apart, &first)
                                                            : cast_mesh(&stand_a, &stand_b, settings, 2.0 * near, &apart, &first);
        if (status != ABUT_OK || !first.hit) {
            *hit = first;
            return status;
        }
    }
    return advance_curved(a, b, tolerance, 3.0 * near, first.fraction, hit);
}

/* ---- bodies of rounded triangles ---- */

static bool any_facets(const abut_shape *a, const abut_shape *b) { return a->facets != NULL || b->facets != NULL; }

static abut_status cast_facets(const moving_body *a, const moving_body *b, double tolerance, const abut_separation *start, abut_hit *hit) {
    facet_touch touch;
    abut_status status = facet_cast_find(a, b, tolerance, start, &touch);
    if (status != ABUT_OK) {
        return status;
    }
    abut_hit found = {.fraction = touch.fraction};
    if (touch.hit) {
        found = hit_of(&touch.met, a, touch.fraction);
        found.started_inside = touch.fraction == 0.0 && touch.crossed;
    }
    found.iterations = touch.steps;
    *hit = found;
    return touch.undecided ? ABUT_ERROR_ITERATION_LIMIT : ABUT_OK;
}

/* ---- any pair ---- */

static double smaller_size(const abut_shape *a, const abut_shape *b) {
    return a->kind == ABUT_SHAPE_PLANE ? b->size : b->kind == ABUT_SHAPE_PLANE ? a->size : real_min_number(a->size, b->size);
}

static bool any_mesh(const moving_body *a, const moving_body *b) {
    return a->shape->kind == ABUT_SHAPE_TRIMESH || b->shape->kind == ABUT_SHAPE_TRIMESH;
}

static abut_status cast_bodies(const collide_pair *pair, abut_mat3 rotation_a, const moving_body *a, const moving_body *b, double tolerance,
                               abut_hit *hit) {
    abut_separation start;
    abut_status status = separation_of(pair, rotation_a, false, &start);
    if (status != ABUT_OK) {
        return status;
    }
    start.on_b = abut_add(start.on_b, origin_of(a));
    bool still = stands_still(a->motion) && stands_still(b->motion);
    if (start.gap < -start_rounding(a, b) || (start.gap <= 0.0 && still)) {
        *hit = hit_of(&start, a, 0.0);
        hit->started_inside = true;
        return ABUT_OK;
    }
    if (still) {
        *hit = (abut_hit){.fraction = 1.0};
        return ABUT_OK;
    }
    if (any_facets(a->shape, b->shape)) {
        return cast_facets(a, b, tolerance > 0.0 ? tolerance : 1e-6 * smaller_size(a->shape, b->shape), &start, hit);
    }
    normal_settings settings = pair->normal;
    settings.aside = abut_mat3_apply(rotation_a, settings.aside);
    double near = tolerance > 0.0 ? tolerance : 1e-6 * smaller_size(a->shape, b->shape);
    if (curved_any(a->shape, b->shape)) {
        return cast_curved(a, b, &settings, near, &start, hit);
    }
    bool solids = solids_is_one(a->shape) && solids_is_one(b->shape);
    return solids || !any_mesh(a, b) ? cast_apart(a, b, &settings, near, &start, hit)
           : are_meshes(a, b)        ? cast_meshes(a, b, &settings, near, &start, hit)
                                     : cast_mesh(a, b, &settings, near, &start, hit);
}

static bool is_finite_motion(abut_motion motion) { return abut_vec3_is_finite(motion.linear) && isfinite(abut_length(motion.angular)); }

static abut_status refuse_motion(const char *call, abut_motion a, abut_motion b, double tolerance) {
    if (!is_finite_motion(a) || !is_finite_motion(b)) {
        return refuse(ABUT_ERROR_NOT_FINITE, call, "motion_%c is not finite, or its square overflows", is_finite_motion(a) ? 'b' : 'a');
    }
    if (!argument_is_not_finite(call, "tolerance", tolerance)) {
        (void)refused(call, "motion_a, motion_b and the distance of the shapes are too large: their squares overflow");
    }
    return ABUT_ERROR_NOT_FINITE;
}

/* Whether squares of the lengths overflow: then no answer is possible. */
static bool is_measurable(const collide_pair *placed, abut_motion a, abut_motion b, double tolerance) {
    double reach = abut_length(placed->position_b) + abut_distance_between(a.linear, b.linear);
    return is_finite_motion(a) && is_finite_motion(b) && isfinite(tolerance) && isfinite(reach);
}

abut_status shape_cast_find(const moving_body *a, const moving_body *b, double tolerance, abut_hit *hit) {
    bool solids = are_meshes(a, b);
    const moving_body of[2] = {solids ? as_solid(a) : *a, solids ? as_solid(b) : *b};
    collide_pair placed;
    abut_mat3 rotation_a;
    abut_status status = solids_place(&(abut_pair){of[0].shape, a->pose, of[1].shape, b->pose}, NULL, &placed, &rotation_a);
    if (status == ABUT_OK && !is_measurable(&placed, a->motion, b->motion, tolerance)) {
        status = ABUT_ERROR_NOT_FINITE;
    }
    if (status == ABUT_OK && any_facets(of[0].shape, of[1].shape)) {
        status = ABUT_ERROR_UNSUPPORTED_PAIR;
    }
    return status == ABUT_OK ? cast_bodies(&placed, rotation_a, &of[0], &of[1], tolerance, hit) : status;
}

static abut_status to_depth_of_parts(const moving_body *a, const moving_body *b, const normal_settings *settings, double depth,
                                     double *fraction) {
    cast_state state = cast_begin(a, b, settings);
    state.depth = depth;
    abut_status status = advance_bodies(&state);
    *fraction = real_min(state.hit ? state.fraction : INFINITY, state.limit);
    return status == ABUT_OK && state.limit < state.fraction ? ABUT_ERROR_ITERATION_LIMIT : status;
}

static abut_status to_depth_of_mesh(const moving_body *a, const moving_body *b, const normal_settings *settings, double depth, double least,
                                    double *fraction) {
    mesh_cast cast = mesh_cast_begin(a, b, settings);
    bool narrow = a->shape->kind == ABUT_SHAPE_TRIMESH && b->shape->kind != ABUT_SHAPE_PLANE;
    cast.depth = depth;
    cast.least_depth = least;
    cast.narrow_mesh = narrow && is_mesh_first(a->shape, b->shape);
    cast.narrow_body = narrow && !cast.narrow_mesh;
    mesh_touch touch;
    abut_status status = mesh_cast_find(&cast, &touch);
    *fraction = touch.outcome == ADVANCE_MISS ? INFINITY : touch.fraction;
    return status == ABUT_OK && touch.outcome == ADVANCE_LIMIT ? ABUT_ERROR_ITERATION_LIMIT : status;
}

/* least: passes over triangles of a mesh A that do not get as deep. */
static abut_status to_depth(const moving_body *a, const moving_body *b, double depth, double least, double *fraction) {
    collide_pair placed;
    abut_mat3 rotation_a;
    *fraction = INFINITY;
    abut_status status = solids_place(&(abut_pair){a->shape, a->pose, b->shape, b->pose}, NULL, &placed, &rotation_a);
    if (status != ABUT_OK) {
        return status;
    }
    if (!is_measurable(&placed, a->motion, b->motion, depth)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    if (any_facets(placed.a, placed.b) || !collide_is_supported(placed.a, placed.b)) {
        return ABUT_ERROR_UNSUPPORTED_PAIR;
    }
    normal_settings settings = placed.normal;
    settings.aside = abut_mat3_apply(rotation_a, settings.aside);
    settings.minimum = true;
    return any_mesh(a, b) ? to_depth_of_mesh(a, b, &settings, depth, least, fraction) : to_depth_of_parts(a, b, &settings, depth, fraction);
}

/* Whether the motion up to the fraction is known to be safe. */
static bool is_answer(abut_status cast) { return cast == ABUT_OK || cast == ABUT_ERROR_ITERATION_LIMIT; }

static abut_status cast_to_depth(const moving_body *a, const moving_body *b, double depth, double least, double *fraction) {
    const moving_body inside = as_inside(a), surface = as_solid(a);
    bool one = surface.shape == inside.shape;
    abut_status status = to_depth(&inside, b, depth, one ? least : 0.0, fraction);
    if (one || !is_answer(status)) {
        return status;
    }
    double found;
    abut_status second = to_depth(&surface, b, depth, least, &found);
    *fraction = real_min(*fraction, found);
    return second == ABUT_OK ? status : second;
}

abut_status shape_cast_to_depth(const moving_body *a, const moving_body *b, double depth, double least, double *fraction) {
    *fraction = INFINITY;
    if (curved_stand_in(a->shape) == NULL || curved_stand_in(b->shape) == NULL) {
        return ABUT_ERROR_UNSUPPORTED_PAIR;
    }
    const moving_body stand_a = as_stand_in(a), stand_b = as_stand_in(b);
    return cast_to_depth(&stand_a, &stand_b, depth, least, fraction);
}

/* Told here: the shapes are not to blame. */
static abut_status check_motions(const char *call, const collide_pair *placed, abut_motion a, abut_motion b, double tolerance) {
    if (!is_measurable(placed, a, b, tolerance)) {
        return refuse_motion(call, a, b, tolerance);
    }
    return argument_is_negative(call, "tolerance", tolerance) ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_OK;
}

static abut_status cast_placed(const collide_pair *placed, const abut_placed *a, const abut_placed *b, abut_motion motion_a,
                               abut_motion motion_b, double tolerance, abut_hit *hit) {
    const moving_body body_a = {.shape = a->shape, .pose = a->pose, .motion = motion_a};
    const moving_body body_b = {.shape = b->shape, .pose = b->pose, .motion = motion_b};
    return cast_bodies(placed, a->rotation, &body_a, &body_b, tolerance, hit);
}

abut_status abut_shape_cast(const abut_pair *pair, abut_motion motion_a, abut_motion motion_b, double tolerance, abut_hit *hit) {
    if (argument_is_null(CALL_NAME, "hit", hit)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_placed a, b;
    collide_pair placed;
    abut_status status = collide_place_both(pair, &a, &b) ? solids_place_bodies(&a, &b, NULL, &placed) : ABUT_ERROR_INVALID_ARGUMENT;
    if (status != ABUT_OK) {
        return collide_refuse(status, CALL_NAME, -1, pair, NULL);
    }
    status = check_motions(CALL_NAME, &placed, motion_a, motion_b, tolerance);
    if (status != ABUT_OK) {
        return status;
    }
    status = cast_placed(&placed, &a, &b, motion_a, motion_b, tolerance, hit);
    return status == ABUT_OK ? ABUT_OK : collide_refuse(status, CALL_NAME, -1, pair, NULL);
}

abut_status abut_shape_cast_placed(const abut_placed *a, const abut_placed *b, abut_motion motion_a, abut_motion motion_b, double tolerance,
                                   abut_hit *hit) {
    if (argument_is_null(CALL_NAME, "hit", hit)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    collide_pair placed;
    abut_status status = collide_are_placed(a, b) ? solids_place_bodies(a, b, NULL, &placed) : ABUT_ERROR_INVALID_ARGUMENT;
    if (status != ABUT_OK) {
        return collide_refuse_placed(status, CALL_NAME, -1, a, b, NULL);
    }
    status = check_motions(CALL_NAME, &placed, motion_a, motion_b, tolerance);
    if (status != ABUT_OK) {
        return status;
    }
    status = cast_placed(&placed, a, b, motion_a, motion_b, tolerance, hit);
    return status == ABUT_OK ? ABUT_OK : collide_refuse_placed(status, CALL_NAME, -1, a, b, NULL);
}
