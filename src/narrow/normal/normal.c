/*
 * The contact normal of two convex bodies. Overlapping polytopes get the normal of least depth, or that of the growth distance where it is a local minimum of
 * the depth. Separated bodies get the direction of their distance. Round bodies get the direction of their cores' distance, or of the least translation when a
 * core lies within the other body.
 */

#include "narrow/normal/normal.h"

#include "base/real.h"
#include "narrow/normal/box_sat.h"
#include "narrow/normal/depth.h"
#include "narrow/normal/distance_normal.h"
#include "narrow/normal/extremal/normal.h"
#include "narrow/normal/feature.h"
#include "narrow/normal/feature_overlap.h"
#include "narrow/normal/gauge.h"
#include "narrow/normal/frustum/normal.h"
#include "narrow/normal/gjk.h"
#include "narrow/normal/growth/growth.h"
#include "narrow/normal/round.h"
#include "narrow/normal/sat.h"

/* A capsule on a face of a box: the end is above its foot. */
static contact_normal normal_of_lying(const convex *a, const convex *b, bool box_is_a, int32_t face, int32_t end) {
    const convex *box = box_is_a ? a : b, *round = box_is_a ? b : a;
    abut_vec3 outward = feature_face_normal(box, face), point = convex_to_pair(round, convex_vertex(round, end));
    double height = abut_dot(outward, abut_sub(point, box->position)) - convex_face_offset(box, face);
    abut_vec3 foot = abut_add_scaled(point, -height, outward);
    const abut_feature under = {.kind = ABUT_FEATURE_FACE, .index = face}, above = {.kind = ABUT_FEATURE_VERTEX, .index = end};
    contact_normal normal = {
        .direction = box_is_a ? outward : abut_neg(outward), .on_a = box_is_a ? foot : point, .on_b = box_is_a ? point : foot};
    normal.feature_a = box_is_a ? under : above;
    normal.feature_b = box_is_a ? above : under;
    normal.gap = -gauge_support(a, b, normal.direction);
    return normal;
}

static contact_normal normal_with_round(const convex *a, const convex *b, abut_vec3 previous) {
    int32_t face, end;
    bool box_is_a = a->core == CORE_POLYTOPE;
    if (round_lies_on_box(box_is_a ? a : b, box_is_a ? b : a, &face, &end)) {
        return normal_of_lying(a, b, box_is_a, face, end);
    }
    gjk_result d = gjk_solve(a, b);
    double rounding =
        1e-12 * (a->size + b->size); /* error of a distance, large enough that the direction of a longer distance is meaningful */
    if (d.distance > real_max(rounding, 1e-10 * real_min(a->size, b->size))) {
        return normal_of_distance(a, b, &d);
    }
    return depth_of_sunk_core(a, b, previous);
}

static bool are_boxes(const convex *a, const convex *b) { return a->shape->kind == ABUT_SHAPE_BOX && b->shape->kind == ABUT_SHAPE_BOX; }

/* Bodies that touch or are apart by no more than the margin get the normal of their distance. The gap along this normal is a lower bound of the distance. It
 * can be too small, for instance when the difference of two close points is rounding error. Then the facet that separates the bodies most replaces the
 * normal, if its gap is larger. */
static void normal_near_touch(const convex *a, const convex *b, const normal_settings *settings, double touching, contact_normal *normal) {
    gjk_result d;
    contact_normal apart = {.gap = -INFINITY};
    if (are_boxes(a, b)) { /* their axes have guessed which features are the closest ones */
        gjk_find_from(a, b, normal->feature_a, normal->feature_b, settings->cache, &d);
    } else {
        gjk_find(a, b, settings->cache, &d);
    }
    if (d.distance > touching) {
        apart = normal_of_distance(a, b, &d);
        if (d.distance - apart.gap <= 1e-10 * d.distance + 0.1 * touching) {
            *normal = apart;
            return;
        }
    }
    sat_start start;
    sat_start_along(a, b, normal->direction, &start);
    start.depth = start.depth > touching ? start.depth : touching;
    sat_least_depth(a, b, &start, settings, normal);
    *normal = apart.gap >= normal->gap ? apart : *normal;
}

/* Keeps the growth distance's normal where the two features overlap along it, so that it is a local minimum of the depth. Deep overlaps are refined in any
 * case, because there a local minimum can be much deeper than the least depth. */
static bool wants_refinement(const convex *a, const convex *b, const contact_normal *normal) {
    const double deep = 0.2, hair = 1e-9; /* a depth that the growth distance may lose in its rounding error */
    double inradius_a = convex_inradius(a), inradius_b = convex_inradius(b);
    return normal->between || -normal->gap <= hair * (a->size + b->size) ||
           -normal->gap > deep * (inradius_a < inradius_b ? inradius_a : inradius_b) || !features_overlap(a, b, normal);
}

static void normal_of_growth(const convex *a, const convex *b, const normal_settings *settings, double apart, double touching,
                             contact_normal *normal) {
    *normal = growth_solve(a, b, settings, apart).normal;
    if (settings->refine && normal->gap <= -touching && wants_refinement(a, b, normal)) {
        sat_start start;
        sat_start_along(a, b, normal->direction, &start);
        start.depth = start.depth > touching ? start.depth : touching;
        sat_least_depth(a, b, &start, settings, normal);
    }
}

static void normal_of_boxes(const convex *a, const convex *b, const normal_settings *settings, double apart, contact_normal *normal) {
    abut_vec3 between = abut_sub(b->position, a->position), centre = convex_direction_to_local(a, between);
    abut_mat3 rotation = abut_mat3_make(convex_direction_to_local(a, b->rotation.x), convex_direction_to_local(a, b->rotation.y),
                                        convex_direction_to_local(a, b->rotation.z));
    box_placement where = {&a->shape->half, &b->shape->half, &rotation, &centre};
    normal_settings local = *settings;
    local.previous = convex_direction_to_local(a, settings->previous);
    local.aside = convex_direction_to_local(a, settings->aside);
    box_sat_normal(&where, a->aligned ? settings : &local, a->size + b->size, apart, normal);
    normal->direction = convex_direction_to_pair(a, normal->direction);
}

static void normal_of_polytopes(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal) {
    double touching = CONTACT_ROUNDING * (a->size + b->size), apart = settings->margin + touching;
    if (are_boxes(a, b) && box_sat_gives_normal(a->shape, b->shape, settings->minimum, settings->refine)) {
        normal_of_boxes(a, b, settings, apart, normal);
    } else if (settings->minimum) {
        sat_normal(a, b, settings, apart, normal);
    } else {
        normal_of_growth(a, b, settings, apart, touching, normal);
    }
    if (normal->gap > apart || normal->gap <= -touching) {
        return;
    }
    normal_near_touch(a, b, settings, touching, normal);
}

bool contact_normal_of_near_boxes(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal) {
    double touching = CONTACT_ROUNDING * (a->size + b->size), apart = settings->margin + touching;
    if (normal->gap <= apart) {
        normal_near_touch(a, b, settings, touching, normal);
    }
    return normal->gap <= apart;
}

bool contact_normal_find(const convex *a, const convex *b, const normal_settings *settings, contact_normal *normal) {
    if (convex_any_smooth(a, b)) {
        return normal_of_smooth(a, b, settings, normal);
    }
    if (convex_any_frustum(a, b)) {
        return normal_of_frustum(a, b, settings, normal);
    }
    double touching = CONTACT_ROUNDING * (a->size + b->size);
    normal->pair = NORMAL_FEATURES;
    normal->moved = false;
    if (convex_are_polytopes(a, b)) {
        normal_of_polytopes(a, b, settings, normal);
    } else if (a->core == CORE_POLYTOPE || b->core == CORE_POLYTOPE) {
        *normal = normal_with_round(a, b, settings->previous);
    } else {
        *normal = normal_of_round(a, b, settings->previous);
    }
    return normal->gap <= settings->margin + touching;
}
