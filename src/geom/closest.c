/*
 * Closest points by Voronoi regions. The region of a feature is where the feature's own projection is inside it. Only signs of dot products
 * decide.
 */

#include "geom/closest.h"

#include "base/real.h"

static double clamp_unit(double t) { return t < 0.0 ? 0.0 : t > 1.0 ? 1.0 : t; }

double closest_on_segment(abut_vec3 p, abut_vec3 a, abut_vec3 b) {
    abut_vec3 d = abut_sub(b, a);
    double dd = abut_dot(d, d);
    return dd > 0.0 ? clamp_unit(abut_dot(abut_sub(p, a), d) / dd) : 0.0;
}

/* The segments are parallel: takes the middle of the part of a that faces b, or the nearest ends. */
static void closest_of_parallel(abut_vec3 a0, abut_vec3 a1, abut_vec3 b0, abut_vec3 b1, double *s, double *t) {
    abut_vec3 u = abut_sub(a1, a0);
    double uu = abut_dot(u, u);
    double s0 = abut_dot(abut_sub(b0, a0), u) / uu;
    double s1 = abut_dot(abut_sub(b1, a0), u) / uu;
    double lower = clamp_unit(real_min_number(s0, s1));
    double upper = clamp_unit(real_max_number(s0, s1));
    *s = 0.5 * (lower + upper);
    *t = closest_on_segment(abut_lerp(a0, a1, *s), b0, b1);
}

segment_relation closest_of_segments(abut_vec3 a0, abut_vec3 a1, abut_vec3 b0, abut_vec3 b1, double *s, double *t) {
    const double parallel_sine = 1e-15; /* below this sine, the distance changes along the segments by no more than rounding error */
    const double careful_sine =
        1e-9; /* below this sine, rounding error of scalar products makes the crossing point of the lines meaningless */
    abut_vec3 u = abut_sub(a1, a0), v = abut_sub(b1, b0), w = abut_sub(a0, b0);
    double uu = abut_dot(u, u), vv = abut_dot(v, v);
    if (!(uu > 0.0) || !(vv > 0.0)) {
        *s = uu > 0.0 ? closest_on_segment(b0, a0, a1) : 0.0;
        *t = vv > 0.0 ? closest_on_segment(abut_lerp(a0, a1, *s), b0, b1) : 0.0;
        return SEGMENTS_POINT;
    }
    double uv = abut_dot(u, v);
    abut_vec3 uxv = abut_cross(u, v);
    double determinant = abut_dot(uxv, uxv); /* uu vv - uv^2 without cancellation */
    if (determinant <= parallel_sine * parallel_sine * uu * vv) {
        closest_of_parallel(a0, a1, b0, b1, s, t);
        return SEGMENTS_PARALLEL;
    }
    double uw = abut_dot(u, w), vw = abut_dot(v, w);
    bool careful = determinant <= careful_sine * careful_sine * uu * vv;
    *s = clamp_unit((careful ? abut_dot(uxv, abut_cross(v, w)) : uv * vw - vv * uw) / determinant);
    *t = (uv * *s + vw) / vv;
    if (*t < 0.0 || *t > 1.0) {
        *t = clamp_unit(*t);
        *s = clamp_unit((uv * *t - uw) / uu);
    }
    return SEGMENTS_SKEW;
}

static double clamp_one(double t) { return t < -1.0 ? -1.0 : t > 1.0 ? 1.0 : t; }

/* The parameter of the point of the segment +-v that is closest to the end of w. */
static double closest_on_axis(abut_vec3 w, abut_vec3 v) {
    double vv = abut_dot(v, v);
    return vv > 0.0 ? clamp_one(abut_dot(v, w) / vv) : 0.0;
}

segment_relation closest_of_axes(const abut_vec3 *between, const abut_vec3 *half_a, const abut_vec3 *half_b, double *s, double *t) {
    const abut_vec3 w = *between, u = *half_a, v = *half_b;
    const double parallel_sine = 1e-15; /* below this sine, the distance changes along the segments by no more than rounding error */
    double uu = abut_dot(u, u), vv = abut_dot(v, v), uv = abut_dot(u, v);
    if (!(uu > 0.0) || !(vv > 0.0)) {
        *s = closest_on_axis(abut_neg(w), u);
        *t = closest_on_axis(abut_add_scaled(w, *s, u), v);
        return SEGMENTS_POINT;
    }
    abut_vec3 uxv = abut_cross(u, v);
    double determinant = abut_dot(uxv, uxv);
    if (determinant <= parallel_sine * parallel_sine * uu * vv) {
        double middle = -abut_dot(u, w) / uu, reach = fabs(uv) / uu; /* the middle of the part of a that faces b */
        *s = 0.5 * (clamp_one(middle - reach) + clamp_one(middle + reach));
        *t = closest_on_axis(abut_add_scaled(w, *s, u), v);
        return SEGMENTS_PARALLEL;
    }
    *s = clamp_one(abut_dot(uxv, abut_cross(v, w)) / determinant); /* uv vw - vv uw without cancellation */
    double free = abut_dot(v, abut_add_scaled(w, *s, u)) / vv;
    *t = clamp_one(free);
    if (*t != free) {
        *s = closest_on_axis(abut_sub(abut_scale(*t, v), w), u);
    }
    return SEGMENTS_SKEW;
}

void closest_on_longest_edge(abut_vec3 p, const abut_vec3 corner[3], double weights[3]) {
    int longest = 0;
    double best = -1.0;
    for (int i = 0; i < 3; ++i) {
        double length = abut_length_squared(abut_sub(corner[(i + 1) % 3], corner[i]));
        if (length > best) {
            best = length;
            longest = i;
        }
    }
    int next = (longest + 1) % 3;
    double t = closest_on_segment(p, corner[longest], corner[next]);
    weights[0] = weights[1] = weights[2] = 0.0;
    weights[longest] = 1.0 - t;
    weights[next] = t;
}
