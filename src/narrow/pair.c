#include "narrow/pair.h"

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
                (unsigned)s->baseline.mesh_rule <= ABUT_MESH_TRIANGLE_NORMALS &&
                (unsigned)s->baseline.mesh_identity <= ABUT_MESH_BY_POSITION;
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

/* Most callers keep the default angle, whose sine is a constant. Computing a sine takes longer than a whole pair of separated boxes. */
static double sine_of(double angle) { return angle == COLLIDE_FEATURE_ANGLE ? COLLIDE_FEATURE_SINE : elementary_sin(angle); }

static inline int compare(double p, double q) { return (p > q) - (p < q); }

/* Orders two shapes by their data and not by their poses. Any rule is good that tells most pairs of different shapes apart. */
static int order_of(const abut_shape *a, const abut_shape *b) {
    int order = compare(a->kind, b->kind);
    order = order != 0 ? order : compare(a->size, b->size);
    order = order != 0 ? order : compare(a->unit_mass.volume, b->unit_mass.volume);
    order = order != 0 ? order : compare(a->surface.vertex_count, b->surface.vertex_count);
    return order != 0 ? order : compare(a->part_count, b->part_count);
}

void collide_set_order(collide_pair *pair) {
    pair->order = order_of(pair->a, pair->b);
    pair->normal.aside = pair->order > 0 ? abut_neg(pair->aside) : pair->aside;
}

/* Whether products of distances stay finite for as many factors as any method here multiplies. Shapes are checked in the same way when they are made. */
static bool is_within_arithmetic(const abut_shape *a, const abut_shape *b, abut_vec3 apart) {
    double far = fabs(apart.x) + fabs(apart.y) + fabs(apart.z) + fabs(a->offset) + fabs(b->offset), volume = far * far * far;
    return isfinite(volume * volume);
}

/* Along no axis of a tidy scene, nor across one. */
static const abut_vec3 aside = {0.31, 0.47, 0.83};

static abut_vec3 aside_in(const abut_mat3 *rotation) { return abut_mat3_apply_transposed(*rotation, aside); }

abut_status collide_place(const abut_pair *pair, const abut_collide_settings *settings, collide_pair *placed, abut_mat3 *rotation_a) {
    static const abut_collide_settings defaults = COLLIDE_DEFAULTS;
    const abut_collide_settings *s = settings != NULL ? settings : &defaults;
    abut_status status = pair == NULL || pair->a == NULL || pair->b == NULL ? ABUT_ERROR_INVALID_ARGUMENT
                         : settings != NULL                                 ? collide_check_settings(s)
                                                                            : ABUT_OK;
    status = status == ABUT_OK ? collide_check_poses(&pair->pose_a, &pair->pose_b) : status;
    if (status != ABUT_OK) {
        return status;
    }
    abut_vec3 apart = abut_sub(pair->pose_b.position, pair->pose_a.position);
    if (!is_within_arithmetic(pair->a, pair->b, apart)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    *rotation_a = abut_mat3_from_quat(pair->pose_a.rotation);
    abut_mat3 rotation_b = abut_mat3_from_quat(pair->pose_b.rotation);
    placed->a = pair->a;
    placed->b = pair->b;
    placed->rotation_b.x = abut_mat3_apply_transposed(*rotation_a, rotation_b.x);
    placed->rotation_b.y = abut_mat3_apply_transposed(*rotation_a, rotation_b.y);
    placed->rotation_b.z = abut_mat3_apply_transposed(*rotation_a, rotation_b.z);
    placed->position_b = abut_mat3_apply_transposed(*rotation_a, apart);
    placed->mesh_a = placed->mesh_b = NULL;
    placed->apart = apart;
    placed->turn_b = pair->pose_b.rotation;
    placed->aside = aside_in(rotation_a);
    placed->normal.margin = s->margin;
    placed->normal.cores = s->contraction == ABUT_CONTRACTION_CORE;
    placed->normal.refine = s->refine_normal;
    placed->normal.ray_cast = s->baseline.growth == ABUT_GROWTH_RAY_CAST;
    placed->normal.minimum = s->normal == ABUT_NORMAL_MINIMUM;
    collide_set_order(placed);
    placed->normal.previous = abut_vec3_make(0.0, 0.0, 0.0);
    placed->normal.cache = NULL;
    placed->normal.start_a.kind = placed->normal.start_b.kind = ABUT_FEATURE_NONE;
    if (abut_length_squared(s->previous_normal) > 0.0) {
        placed->normal.previous = abut_unit(abut_neg(abut_mat3_apply_transposed(*rotation_a, s->previous_normal)));
    }
    placed->feature_angle = s->feature_angle;
    placed->feature_sine = sine_of(s->feature_angle);
    placed->weld = s->weld;
    placed->mesh_rule = s->baseline.mesh_rule;
    placed->mesh_identity = s->baseline.mesh_identity;
    return ABUT_OK;
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

bool collide_is_a_smaller(const collide_pair *pair) { return pair->order < 0 || (pair->order == 0 && abut_dot(aside, pair->apart) < 0.0); }

void collide_place_convex(const collide_pair *pair, convex *a, convex *b) {
    static const abut_mat3 aligned = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const abut_vec3 origin = {0, 0, 0};
    convex_set(a, pair->a, &aligned, &origin, 0);
    convex_set(b, pair->b, &pair->rotation_b, &pair->position_b, 0);
}
