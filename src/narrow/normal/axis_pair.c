#include "narrow/normal/axis_pair.h"

#include "geom/closest.h"

/* Whether the closest point lies inside the segment, or would but for rounding error: at an end, the other body may not be on the side of the segment. outward
 * points to the other segment. */
static bool is_inside(const axis *segment, double half, double place, abut_vec3 outward) {
    double rise = abut_dot(outward, segment->along);
    return half > 0.0 && (place >= 1.0 ? rise < 0.0 : place <= -1.0 ? rise > 0.0 : true);
}

static abut_vec3 square_to(abut_vec3 along, abut_vec3 v) { return abut_add_scaled(v, -abut_dot(v, along), along); }

/* Removes the components along the segments in which the closest points lie: there the difference of the closest points is orthogonal to the segment. For
 * points that nearly coincide the computed difference is mostly rounding error, in all directions. Of two segments that are nearly parallel, the part of the
 * second one across the first has lost digits. It is used only where it keeps more of them than the difference does; scale bounds the coordinates of that. */
static abut_vec3 square_to_both(const axis *a, bool inside_a, const axis *b, bool inside_b, double scale, abut_vec3 apart) {
    if (!inside_a && !inside_b) {
        return apart;
    }
    abut_vec3 first = inside_a ? a->along : b->along, square = square_to(first, apart);
    if (!inside_a || !inside_b) {
        return square;
    }
    abut_vec3 second = square_to(first, b->along);
    return abut_length(second) * scale > abut_length(square) ? square_to(abut_unit(second), square) : square;
}

/* A segment that is shorter than any rounding error is a point. The square of its length may vanish. */
static double zero_if_short(double half, double scale) {
    const double nothing = 1e-20;
    return half > nothing * scale ? half : 0.0;
}

void axis_pair_find(const axis *a, const axis *b, axis_pair *pair) {
    abut_vec3 between = abut_sub(a->middle, b->middle);
    double scale = abut_length(between) + a->half + b->half, reach_a = zero_if_short(a->half, scale),
           reach_b = zero_if_short(b->half, scale);
    abut_vec3 half_a = abut_scale(reach_a, a->along), half_b = abut_scale(reach_b, b->along);
    segment_relation relation = closest_of_axes(&between, &half_a, &half_b, &pair->s, &pair->t);
    pair->on_a = abut_add_scaled(a->middle, pair->s, half_a);
    pair->on_b = abut_add_scaled(b->middle, pair->t, half_b);
    abut_vec3 apart = abut_sub(pair->on_b, pair->on_a);
    bool inside_a = is_inside(a, reach_a, pair->s, apart), inside_b = is_inside(b, reach_b, pair->t, abut_neg(apart));
    pair->apart = square_to_both(a, inside_a, b, inside_b, scale, apart);
    pair->skew = relation == SEGMENTS_SKEW && inside_a && inside_b;
}
