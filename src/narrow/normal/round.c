/*
 * Spheres and capsules: closest points between points and segments.
 */

#include "narrow/normal/round.h"

#include "narrow/normal/axis/box_line.h"
#include "narrow/normal/axis_pair.h"
#include "narrow/normal/gauge.h"

/* The direction for axes that cross or coincide: orthogonal to both axes, and as close to the previous direction as possible. */
static abut_vec3 direction_of_crossing(const convex *a, const convex *b, abut_vec3 previous) {
    abut_vec3 u = a->core == CORE_SEGMENT ? a->rotation.z : abut_vec3_make(0, 0, 0);
    abut_vec3 v = b->core == CORE_SEGMENT ? b->rotation.z : abut_vec3_make(0, 0, 0);
    abut_vec3 across = abut_cross(u, v);
    if (abut_length(across) > 1e-9) {
        across = abut_unit(across);
        return abut_dot(across, previous) < 0.0 ? abut_neg(across) : across;
    }
    abut_vec3 axis = abut_length_squared(u) > 0.0 ? u : v;
    abut_vec3 wish = abut_length_squared(previous) > 0.0 ? previous : abut_vec3_make(0, 0, -1);
    if (!(abut_length_squared(axis) > 0.0)) {
        return wish;
    }
    abut_vec3 direction = abut_unit(abut_add_scaled(wish, -abut_dot(wish, axis), axis));
    if (abut_length(abut_cross(wish, axis)) <= 1e-6) {
        abut_vec3 second;
        abut_tangent_frame(axis, &direction, &second);
    }
    return direction;
}

static axis axis_of(const convex *body) { return (axis){body->position, body->rotation.z, body->half_length}; }

static abut_feature round_feature(const convex *body, double t) {
    bool end = body->core == CORE_POINT || t <= 0.0 || t >= 1.0;
    return end ? (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = t >= 1.0} : (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = 0};
}

/* When two axes pass closely, the difference of the closest points is mostly rounding error, but the cross product of the axes is exact. Takes the direction
 * along which the bodies are farther apart. */
static abut_vec3 better_of_axes(const convex *a, const convex *b, abut_vec3 direction) {
    abut_vec3 across = abut_unit(abut_cross(a->rotation.z, b->rotation.z));
    across = abut_dot(across, direction) < 0.0 ? abut_neg(across) : across;
    return gauge_support(a, b, across) < gauge_support(a, b, direction) ? across : direction;
}

contact_normal normal_of_round(const convex *a, const convex *b, abut_vec3 previous) {
    const axis axis_a = axis_of(a), axis_b = axis_of(b);
    axis_pair pair;
    axis_pair_find(&axis_a, &axis_b, &pair);
    contact_normal normal = {.on_a = pair.on_a, .on_b = pair.on_b};
    normal.feature_a = round_feature(a, 0.5 + 0.5 * pair.s);
    normal.feature_b = round_feature(b, 0.5 + 0.5 * pair.t);
    double distance = abut_length(pair.apart);
    normal.chosen = !(distance > 1e-14 * (a->size + b->size));
    normal.direction = normal.chosen ? direction_of_crossing(a, b, previous) : abut_unit(pair.apart);
    normal.gap = (normal.chosen ? 0.0 : distance) - a->radius - b->radius;
    if (pair.skew && !normal.chosen) {
        normal.direction = better_of_axes(a, b, normal.direction);
    }
    return normal;
}

bool round_lies_on_box(const convex *box, const convex *round, int32_t *face, int32_t *end) {
    if (box->shape->kind != ABUT_SHAPE_BOX || box->eroded > 0.0 || round->core != CORE_SEGMENT) {
        return false;
    }
    abut_vec3 apart = abut_sub(round->position, box->position);
    double scale = box->size + round->size, far = fabs(apart.x) + fabs(apart.y) + fabs(apart.z);
    const box_line line = box_line_of(convex_direction_to_local(box, apart),
                                      abut_scale(round->half_length, convex_direction_to_local(box, round->rotation.z)), box->shape->half);
    box_nearest near;
    box_line_nearest(&line, false, &near);
    int32_t outside = near.outside, axis = outside >> 1;
    *face = 2 * axis + (near.vertex >> axis & 1);
    *end = near.place > 0.0;
    return fabs(near.place) == 1.0 && (outside == 1 || outside == 2 || outside == 4) &&
           box_line_is_level(&line, &near, round->half_length) && box_line_is_plain(&line, box->size, scale, far, round->half_length) &&
           box_line_is_clear(&near, box->size, scale + far);
}
