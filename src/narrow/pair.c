#include "narrow/pair.h"

static abut_status check_settings(const abut_collide_settings *s) {
    const double quarter_turn = 0.78539816339744831;
    if (!isfinite(s->margin) || !isfinite(s->feature_angle) || !isfinite(s->weld) || !abut_is_finite_vec3(s->previous_normal)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    bool fine = s->margin >= 0.0 && s->feature_angle >= 0.0 && s->feature_angle <= quarter_turn && s->weld >= 0.0 && s->weld <= 0.1 &&
                (s->contraction == ABUT_CONTRACTION_CORE || s->contraction == ABUT_CONTRACTION_CENTROID) &&
                (s->normal == ABUT_NORMAL_GROWTH || s->normal == ABUT_NORMAL_MINIMUM) &&
                (s->method == ABUT_GROWTH_EXPANSION || s->method == ABUT_GROWTH_RAY_CAST);
    return fine ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

static abut_status check_pose(abut_pose pose) {
    abut_quat q = pose.rotation;
    if (!abut_is_finite_vec3(pose.position) || !isfinite(q.x) || !isfinite(q.y) || !isfinite(q.z) || !isfinite(q.w)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    return abut_is_valid_pose(pose) ? ABUT_OK : ABUT_ERROR_INVALID_ARGUMENT;
}

static int compare(double p, double q) {
    return p < q ? -1 : p > q;
}

/* By what the shapes are, not by where they are: any rule will do that tells most pairs of different shapes apart. */
static int order_of(const abut_shape *a, const abut_shape *b) {
    const double key_a[] = {(double)a->kind, a->size, a->unit_mass.volume, (double)a->surface.vertex_count, (double)a->part_count};
    const double key_b[] = {(double)b->kind, b->size, b->unit_mass.volume, (double)b->surface.vertex_count, (double)b->part_count};
    int order = 0;
    for (size_t i = 0; i < sizeof key_a / sizeof *key_a && order == 0; ++i) {
        order = compare(key_a[i], key_b[i]);
    }
    return order;
}

/* Whether products of as many distances as anything here multiplies are finite; shapes are checked likewise when they are made. */
static bool is_within_arithmetic(const abut_shape *a, const abut_shape *b, abut_vec3 apart) {
    double farthest = fmax(fabs(apart.x), fmax(fabs(apart.y), fabs(apart.z)));
    farthest = fmax(farthest, fmax(fabs(a->offset), fabs(b->offset)));
    return isfinite(farthest * farthest * farthest * farthest * farthest);
}

abut_status collide_place(const abut_shape *a, abut_pose pose_a, const abut_shape *b, abut_pose pose_b,
                          const abut_collide_settings *settings, collide_pair *pair, abut_mat3 *rotation_a) {
    abut_collide_settings s = settings != NULL ? *settings : abut_collide_settings_default();
    abut_status status = a == NULL || b == NULL ? ABUT_ERROR_INVALID_ARGUMENT : check_settings(&s);
    status = status == ABUT_OK ? check_pose(pose_a) : status;
    status = status == ABUT_OK ? check_pose(pose_b) : status;
    if (status != ABUT_OK) {
        return status;
    }
    abut_vec3 apart = abut_sub(pose_b.position, pose_a.position);
    if (!is_within_arithmetic(a, b, apart)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    *rotation_a = abut_mat3_from_quat(pose_a.rotation);
    *pair = (collide_pair){.a = a, .b = b, .margin = s.margin, .feature_angle = s.feature_angle, .weld = s.weld,
                           .cores = s.contraction == ABUT_CONTRACTION_CORE, .refine = s.refine_normal};
    pair->rotation_b = abut_mat3_mul(abut_mat3_transpose(*rotation_a), abut_mat3_from_quat(pose_b.rotation));
    pair->position_b = abut_mul_transposed(*rotation_a, apart);
    pair->previous = abut_unit(abut_neg(abut_mul_transposed(*rotation_a, s.previous_normal)));
    pair->order = order_of(a, b);
    pair->aside = abut_mul_transposed(*rotation_a, abut_make_vec3(0.31, 0.47, 0.83)); /* along no axis of a tidy scene, nor across one */
    return ABUT_OK;
}
