#include "narrow/pair.h"

#include "base/argument.h"
#include "base/elementary.h"
#include "base/real.h"

abut_status collide_check_settings(const abut_collide_settings *s) {
    const double quarter_turn = 0.25 * REAL_PI;
    if (!isfinite(s->margin) || !isfinite(s->feature_angle) || !isfinite(s->weld) || !abut_vec3_is_finite(s->previous_normal)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool fine = s->margin >= 0.0 && s->feature_angle >= 0.0 && s->feature_angle <= quarter_turn && s->weld >= 0.0 && s->weld <= 0.1 &&
                (s->contraction == ABUT_CONTRACTION_CORE || s->contraction == ABUT_CONTRACTION_CENTROID) &&
                (s->normal == ABUT_NORMAL_GROWTH || s->normal == ABUT_NORMAL_MINIMUM) &&
                (s->baseline.growth == ABUT_GROWTH_EXPANSION || s->baseline.growth == ABUT_GROWTH_RAY_CAST) &&
                (unsigned)s->baseline.mesh_rule <= ABUT_MESH_VORONOI && (unsigned)s->baseline.mesh_identity <= ABUT_MESH_BY_POSITION;
    return fine ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

static bool is_finite_pose(const abut_pose *pose) {
    return abut_vec3_is_finite(pose->position) && isfinite(pose->rotation.x) && isfinite(pose->rotation.y) && isfinite(pose->rotation.z) &&
           isfinite(pose->rotation.w);
}

abut_status collide_check_poses(const abut_pose *a, const abut_pose *b) {
    if (abut_pose_is_valid(*a) && abut_pose_is_valid(*b)) {
        return ABUT_OK;
    }
    return is_finite_pose(a) && is_finite_pose(b) ? ABUT_ERROR_INVALID_ARGUMENT : ABUT_ERROR_NOT_FINITE;
}

double collide_sine_of(double feature_angle) { return elementary_sin(feature_angle); }

static inline int compare(double p, double q) { return (p > q) - (p < q); }

static int order_of_contraction(const abut_shape *a, const abut_shape *b) {
    int order = compare(a->contraction.x, b->contraction.x);
    order = order != 0 ? order : compare(a->contraction.y, b->contraction.y);
    order = order != 0 ? order : compare(a->contraction.z, b->contraction.z);
    return order != 0 ? order : compare(a->contraction_depth, b->contraction_depth);
}

/* Any rule is good that tells most pairs of different shapes apart. */
int collide_order_of(const abut_shape *a, const abut_shape *b) {
    int order = compare(a->kind, b->kind);
    order = order != 0 ? order : compare(a->size, b->size);
    order = order != 0 ? order : compare(a->unit_mass.volume, b->unit_mass.volume);
    order = order != 0 ? order : compare(a->surface.vertex_count, b->surface.vertex_count);
    order = order != 0 ? order : compare(a->part_count, b->part_count);
    return order == 0 && a->contraction_depth + b->contraction_depth > 0.0 ? order_of_contraction(a, b) : order;
}

void collide_set_order(collide_pair *pair) {
    pair->order = collide_order_of(pair->a, pair->b);
    pair->normal.aside = pair->order > 0 ? abut_neg(pair->aside) : pair->aside;
}

const abut_vec3 collide_aside = COLLIDE_ASIDE;

static abut_vec3 aside_in(const abut_mat3 *rotation) { return abut_mat3_apply_transposed(*rotation, collide_aside); }

abut_placed collide_place_body(const abut_shape *shape, const abut_pose *pose) {
    return (abut_placed){shape, *pose, abut_pose_is_valid(*pose), abut_mat3_from_quat(pose->rotation)};
}

bool collide_place_both(const abut_pair *pair, abut_placed *a, abut_placed *b) {
    bool is_there = pair != NULL && pair->a != NULL && pair->b != NULL;
    if (is_there) {
        *a = collide_place_body(pair->a, &pair->pose_a);
        *b = collide_place_body(pair->b, &pair->pose_b);
    }
    return is_there;
}

abut_status abut_place(const abut_shape *shape, abut_pose pose, abut_placed *placed) {
    if (argument_is_null(CALL_NAME, "shape", shape) || argument_is_null(CALL_NAME, "placed", placed)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    abut_status status = collide_check_poses(&pose, &pose);
    if (status != ABUT_OK) {
        return collide_refuse_poses(status, CALL_NAME, "", &pose, &pose);
    }
    *placed = collide_place_body(shape, &pose);
    return ABUT_OK;
}

static void place_normal(const abut_collide_settings *s, const abut_mat3 *rotation_a, normal_settings *normal) {
    normal->margin = s->margin;
    normal->cores = s->contraction == ABUT_CONTRACTION_CORE;
    normal->refine = s->refine_normal;
    normal->ray_cast = s->baseline.growth == ABUT_GROWTH_RAY_CAST;
    normal->minimum = s->normal == ABUT_NORMAL_MINIMUM;
    normal->previous = abut_vec3_make(0.0, 0.0, 0.0);
    normal->cache = NULL;
    normal->start_a.kind = normal->start_b.kind = ABUT_FEATURE_NONE;
    if (abut_length_squared(s->previous_normal) > 0.0) {
        normal->previous = abut_unit(abut_neg(abut_mat3_apply_transposed(*rotation_a, s->previous_normal)));
    }
}

abut_status collide_place_bodies(const abut_placed *a, const abut_placed *b, const abut_collide_settings *settings, collide_pair *placed) {
    static const abut_collide_settings defaults = COLLIDE_DEFAULTS;
    const abut_collide_settings *s = settings != NULL ? settings : &defaults;
    abut_status status = settings != NULL ? collide_check_settings(s) : ABUT_OK;
    if (status != ABUT_OK || !a->is_valid || !b->is_valid) {
        return status != ABUT_OK ? status : collide_check_poses(&a->pose, &b->pose);
    }
    abut_vec3 apart = abut_sub(b->pose.position, a->pose.position);
    if (!collide_is_within_arithmetic(a->shape, b->shape, apart)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    placed->a = a->shape;
    placed->b = b->shape;
    placed->rotation_b.x = abut_mat3_apply_transposed(a->rotation, b->rotation.x);
    placed->rotation_b.y = abut_mat3_apply_transposed(a->rotation, b->rotation.y);
    placed->rotation_b.z = abut_mat3_apply_transposed(a->rotation, b->rotation.z);
    placed->position_b = abut_mat3_apply_transposed(a->rotation, apart);
    placed->mesh_a = placed->mesh_b = NULL;
    placed->apart = apart;
    placed->turn_b = b->pose.rotation;
    placed->aside = aside_in(&a->rotation);
    place_normal(s, &a->rotation, &placed->normal);
    collide_set_order(placed);
    placed->feature_angle = s->feature_angle;
    placed->weld = s->weld;
    placed->mesh_rule = s->baseline.mesh_rule;
    placed->mesh_identity = s->baseline.mesh_identity;
    return ABUT_OK;
}

abut_status collide_place(const abut_pair *pair, const abut_collide_settings *settings, collide_pair *placed, abut_mat3 *rotation_a) {
    abut_placed a, b;
    abut_status status = collide_place_both(pair, &a, &b) ? collide_place_bodies(&a, &b, settings, placed) : ABUT_ERROR_INVALID_ARGUMENT;
    if (status == ABUT_OK) {
        *rotation_a = a.rotation;
    }
    return status;
}

void collide_exchange(const collide_pair *pair, collide_pair *exchanged) {
    abut_mat3 rotation_b = abut_mat3_from_quat(pair->turn_b);
    *exchanged = *pair;
    exchanged->a = pair->b;
    exchanged->b = pair->a;
    exchanged->mesh_a = pair->mesh_b;
    exchanged->mesh_b = pair->mesh_a;
    exchanged->rotation_b = abut_mat3_transpose(pair->rotation_b);
    exchanged->position_b = abut_mat3_apply_transposed(rotation_b, abut_neg(pair->apart));
    exchanged->apart = abut_neg(pair->apart);
    exchanged->order = -pair->order;
    exchanged->aside = aside_in(&rotation_b);
    exchanged->normal.aside = exchanged->order > 0 ? abut_neg(exchanged->aside) : exchanged->aside;
    exchanged->normal.previous = abut_neg(abut_mat3_apply_transposed(pair->rotation_b, pair->normal.previous));
}

bool collide_is_a_smaller(const collide_pair *pair) {
    return pair->order < 0 || (pair->order == 0 && abut_dot(collide_aside, pair->apart) < 0.0);
}

void collide_place_convex(const collide_pair *pair, convex *a, convex *b) {
    static const abut_mat3 aligned = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const abut_vec3 origin = {0, 0, 0};
    convex_set(a, pair->a, &aligned, &origin, 0);
    convex_set(b, pair->b, &pair->rotation_b, &pair->position_b, 0);
}
