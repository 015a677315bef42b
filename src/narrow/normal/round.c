/*
 * Spheres and capsules: closest points between points and segments.
 */

#include "narrow/normal/round.h"

#include "geom/closest.h"
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

static void segment_ends(const convex *body, abut_vec3 end[2]) {
    end[0] = convex_to_pair(body, convex_vertex(body, 0));
    end[1] = convex_to_pair(body, convex_vertex(body, 1));
}

static abut_feature round_feature(const convex *body, double t) {
    bool end = body->core == CORE_POINT || t <= 0.0 || t >= 1.0;
    return end ? (abut_feature){.kind = ABUT_FEATURE_VERTEX, .index = t >= 1.0} : (abut_feature){.kind = ABUT_FEATURE_EDGE, .index = 0};
}

/* Removes the component along the axis, when the closest point lies inside it: the difference of the closest points is then orthogonal to the axis. For
 * points that nearly coincide the computed difference is mostly rounding error, in all directions. */
static abut_vec3 square_to_axis(const convex *body, abut_feature closest, abut_vec3 apart) {
    abut_vec3 along = body->rotation.z;
    return closest.kind == ABUT_FEATURE_EDGE ? abut_add_scaled(apart, -abut_dot(apart, along), along) : apart;
}

/* When two axes pass closely, the difference of the closest points is mostly rounding error, but the cross product of the axes is exact. Takes the direction
 * along which the bodies are farther apart. */
static abut_vec3 better_of_axes(const convex *a, const convex *b, abut_vec3 direction) {
    abut_vec3 across = abut_unit(abut_cross(a->rotation.z, b->rotation.z));
    across = abut_dot(across, direction) < 0.0 ? abut_neg(across) : across;
    return gauge_support(a, b, across) < gauge_support(a, b, direction) ? across : direction;
}

contact_normal normal_of_round(const convex *a, const convex *b, abut_vec3 previous) {
    abut_vec3 p[2], q[2];
    double s, t;
    segment_ends(a, p);
    segment_ends(b, q);
    segment_relation relation = closest_of_segments(p[0], p[1], q[0], q[1], &s, &t);
    contact_normal normal = {.on_a = abut_lerp(p[0], p[1], s), .on_b = abut_lerp(q[0], q[1], t)};
    abut_vec3 apart = abut_sub(normal.on_b, normal.on_a);
    normal.feature_a = round_feature(a, s);
    normal.feature_b = round_feature(b, t);
    bool both_inside = normal.feature_a.kind == ABUT_FEATURE_EDGE && normal.feature_b.kind == ABUT_FEATURE_EDGE;
    if (relation == SEGMENTS_PARALLEL || !both_inside) {
        apart = square_to_axis(a, normal.feature_a, square_to_axis(b, normal.feature_b, apart));
    }
    double distance = abut_length(apart);
    normal.chosen = !(distance > 1e-14 * (a->size + b->size));
    normal.direction = normal.chosen ? direction_of_crossing(a, b, previous) : abut_unit(apart);
    normal.gap = (normal.chosen ? 0.0 : distance) - a->radius - b->radius;
    if (relation == SEGMENTS_SKEW && !normal.chosen && both_inside) {
        normal.direction = better_of_axes(a, b, normal.direction);
    }
    return normal;
}
