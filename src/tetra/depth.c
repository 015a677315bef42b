/* Deformable penetration depth of one pair: prepares the pair, searches by the mode, and converts the result to the caller's frame and
 * units. */
#include <stddef.h>

#include "base/argument.h"
#include "tetra/answer.h"
#include "tetra/search.h"

double abut_object_norm_squared(int32_t count, const abut_vec3 *displacement) {
    if (count < 1 || count > 4) {
        return NAN;
    }
    abut_vec3 sum = {0.0, 0.0, 0.0};
    double squares = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        squares += abut_length_squared(displacement[i]);
        sum = abut_add(sum, displacement[i]);
    }
    return (squares + abut_length_squared(sum)) / (double)(count * (count + 1));
}

static double tell_body(const pair *p, const along *at, int b, abut_vec3 displacement[4]) {
    double sum = at->pull[b] * at->pull[b];
    abut_vec3 towards = along_towards(b, at->normal);
    for (int i = 0; i < p->body[b].count; ++i) {
        double move = at->move[b][i];
        displacement[i] = abut_scale(move / p->scale, towards);
        sum += move * move;
    }
    bool gives = p->cost[b].share > 0.0;
    return gives ? sum / (p->body[b].count * (p->body[b].count + 1)) / (p->scale * p->scale) : 0.0;
}

static void tell(const pair *p, const rigid *least, const search_result *found, const along *at, abut_depth *depth) {
    *depth = (abut_depth){.relation = least->relation, .rigid = rigid_report(p, least)};
    bool intersect = least->relation == ABUT_DEPTH_INTERSECTING;
    depth->direction = found->direction;
    depth->feature_a = found->feature_a;
    depth->feature_b = found->feature_b;
    depth->certified = found->certified || !intersect;
    depth->normal = at->normal;
    /* For bodies apart, the middle of the gap; for an overlap within rounding error, the middle of the overlap. */
    double plane = intersect ? at->plane : at->plane - 0.5 * at->overlap;
    depth->offset = abut_dot(at->normal, p->origin) + plane / p->scale;
    if (intersect) {
        double unit = p->weight / (p->scale * p->scale);
        depth->sigma_a = tell_body(p, at, PAIR_A, depth->displacement_a);
        depth->sigma_b = tell_body(p, at, PAIR_B, depth->displacement_b);
        depth->depth = sqrt(p->weight) * sqrt(at->cost) / p->scale;
        depth->volume_force_a = at->force[PAIR_A] * unit;
        depth->volume_force_b = at->force[PAIR_B] * unit;
    }
}

static bool is_finite(const abut_depth *d) {
    return isfinite(d->depth) && isfinite(d->sigma_a) && isfinite(d->sigma_b) && isfinite(d->offset) && isfinite(d->rigid.gap) &&
           isfinite(d->volume_force_a) && isfinite(d->volume_force_b);
}

/* Computes the displacement along the normal that the search found. */
static abut_status finish(const pair *p, const rigid *least, const search_result *found, abut_depth *depth) {
    bool bounded = p->volume_ratio > -INFINITY && least->relation == ABUT_DEPTH_INTERSECTING;
    const along at = bounded ? along_solve_bounded(p, found->normal) : along_solve(p, found->normal, &found->forced);
    abut_depth told;
    tell(p, least, found, &at, &told);
    if (!is_finite(&told)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    *depth = told;
    return ABUT_OK;
}

abut_status answer_pair(const pair *p, const abut_depth_settings *settings, abut_depth *depth) {
    lanes l;
    rigid least = rigid_find(p, &l);
    bool intersect = least.relation == ABUT_DEPTH_INTERSECTING;
    search_result found = intersect ? search_normal(p, settings, &least, &l) : search_by_rigid(&least);
    return finish(p, &least, &found, depth);
}

abut_status answer_simplices(const abut_simplex *a, const abut_simplex *b, const abut_depth_settings *settings, abut_depth *depth) {
    pair p;
    abut_status status = pair_check(a, b);
    status = status != ABUT_OK ? status : pair_make(a, b, settings, &p);
    return status != ABUT_OK ? status : answer_pair(&p, settings, depth);
}

abut_status abut_simplex_depth(const abut_simplex *a, const abut_simplex *b, const abut_depth_settings *settings, abut_depth *depth) {
    if (argument_is_null(CALL_NAME, "a", a) || argument_is_null(CALL_NAME, "b", b) || argument_is_null(CALL_NAME, "depth", depth)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    pair p;
    const abut_depth_settings defaults = abut_depth_settings_default();
    abut_status status = pair_check(a, b);
    if (status == ABUT_OK && pair_check_settings(settings) != ABUT_OK) {
        return pair_refuse_settings(CALL_NAME, settings);
    }
    status = status != ABUT_OK ? status : pair_make(a, b, settings, &p);
    status = status != ABUT_OK ? status : answer_pair(&p, settings != NULL ? settings : &defaults, depth);
    return status == ABUT_OK ? ABUT_OK : pair_refuse(status, CALL_NAME, -1, a, b);
}

abut_status abut_simplex_depth_along(const abut_simplex *a, const abut_simplex *b, abut_vec3 normal, const abut_depth_settings *settings,
                                     abut_depth *depth) {
    if (argument_is_null(CALL_NAME, "a", a) || argument_is_null(CALL_NAME, "b", b) || argument_is_null(CALL_NAME, "depth", depth)) {
        return ABUT_ERROR_INVALID_ARGUMENT;
    }
    pair p;
    abut_status status = pair_check(a, b);
    if (status == ABUT_OK && pair_check_settings(settings) != ABUT_OK) {
        return pair_refuse_settings(CALL_NAME, settings);
    }
    if (status == ABUT_OK && argument_is_no_vector(CALL_NAME, "normal", normal)) {
        return ABUT_ERROR_NOT_FINITE;
    }
    status = status != ABUT_OK ? status : pair_make(a, b, settings, &p);
    if (status != ABUT_OK) {
        return pair_refuse(status, CALL_NAME, -1, a, b);
    }
    normal = abut_unit(normal);
    if (!(abut_length_squared(normal) > 0.0)) {
        return refuse(ABUT_ERROR_INVALID_ARGUMENT, CALL_NAME, "normal is zero: it must have a direction");
    }
    rigid least = {.normal = normal, .direction = ABUT_DEPTH_BY_CALLER, .feature_a = -1, .feature_b = -1};
    least.overlap = along_overlap(&p, normal);
    least.relation = rigid_relation(&p, least.overlap);
    search_result found = search_by_rigid(&least);
    status = finish(&p, &least, &found, depth);
    return status == ABUT_OK ? ABUT_OK : pair_refuse(status, CALL_NAME, -1, a, b);
}
