/*
 * Two disjoint triangles are closest at one pair of features: vertex and vertex, vertex and edge, vertex and face, or edge and edge. Each pair
 * whose perpendicular falls inside both features is a candidate; the nearest one is the answer. The distance of a candidate is a
 * determinant over a length and not the difference of two points, so that it keeps its digits where the triangles nearly touch. A
 * perpendicular that rounding puts on the wrong side of a feature's border changes the distance by a rounding error only, because the
 * neighbouring feature is then as near.
 *
 * The penetration depth is the smallest overlap along the normals of the faces and the cross products of edges (Gottschalk, "Separating axis
 * theorem"); in a common plane also along the cross products of edge and normal.
 */

#include "geom/triangles.h"

#include <float.h>

#include "base/real.h"
#include "geom/orient.h"

static abut_vec3 at_weights(const abut_vec3 p[3], const double w[3]) {
    return abut_add_scaled(abut_add_scaled(abut_scale(w[0], p[0]), w[1], p[1]), w[2], p[2]);
}

static void clear_weights(double w[3]) { w[0] = w[1] = w[2] = 0.0; }

static void set_edge_weights(double w[3], int i, double t) {
    clear_weights(w);
    w[i] = 1.0 - t;
    w[(i + 1) % 3] = t;
}

static abut_vec3 side_of(const abut_vec3 p[3], int i) { return abut_sub(p[(i + 1) % 3], p[i]); }

static abut_vec3 across_of(const abut_vec3 p[3]) { return orient_cross(p[0], p[1], p[0], p[2]); }

/* ---- closest points ---- */

static triangles_gap exchanged(const triangles_gap *gap) {
    triangles_gap turned = {.distance = gap->distance, .on_p = gap->on_q, .on_q = gap->on_p, .normal = abut_neg(gap->normal)};
    for (int k = 0; k < 3; ++k) {
        turned.weight_p[k] = gap->weight_q[k];
        turned.weight_q[k] = gap->weight_p[k];
    }
    return turned;
}

/* A distance of zero is left out: the triangles are apart, so the perpendicular falls outside of a feature by a rounding error, and a
 * neighbouring feature is the nearest one. */
static void take_if_nearer(triangles_gap *gap, const triangles_gap *found, bool turned) {
    bool touching = gap->relation != TRIANGLES_APART;
    if (found->distance < gap->distance && (found->distance > 0.0 || touching)) {
        triangles_relation relation = gap->relation;
        *gap = turned ? exchanged(found) : *found;
        gap->relation = relation;
    }
}

/* The height over a plane: `across` . `way` over the length of `across`, with its sign. Where the two are nearly at right angles, which is
 * where the triangles nearly touch, the determinant abc d, equal to the product, replaces it. */
static double height_of(abut_vec3 across, abut_vec3 way, double length, const abut_vec3 at[4]) {
    const double small_sine = 0.01;
    double product = abut_dot(across, way);
    bool small = fabs(product) < small_sine * length * abut_length(way);
    return (small ? orient_volume(at[0], at[1], at[2], at[3]) : product) / length;
}

static void vertex_and_vertex(const abut_vec3 p[3], int i, const abut_vec3 q[3], int k, triangles_gap *gap) {
    abut_vec3 way = abut_sub(p[i], q[k]);
    triangles_gap found = {.distance = abut_length(way), .on_p = p[i], .on_q = q[k], .normal = abut_unit(way)};
    set_edge_weights(found.weight_p, i, 0.0);
    set_edge_weights(found.weight_q, k, 0.0);
    take_if_nearer(gap, &found, false);
}

/* Whether a pair of features is farther apart than the nearest so far. square: of their distance, with the rounding error of one of `size`. */
static bool is_farther(double square, double size, const triangles_gap *gap) {
    const double rounding = 1e-12;
    return square - rounding * size > (1.0 + rounding) * gap->distance * gap->distance;
}

static void vertex_and_edge(const abut_vec3 p[3], int i, const abut_vec3 q[3], int k, bool turned, triangles_gap *gap) {
    abut_vec3 from = q[k], to = q[(k + 1) % 3], u = abut_sub(to, from);
    abut_vec3 w = abut_sub(p[i], from);
    double uu = abut_dot(u, u), along = abut_dot(u, w), t = along / uu, ww = abut_dot(w, w);
    if (!(t > 0.0 && t < 1.0) || is_farther(ww - along * t, ww, gap)) {
        return;
    }
    abut_vec3 across = orient_cross(from, to, from, p[i]);
    triangles_gap found = {.distance = abut_length(across) / sqrt(uu), .on_p = p[i], .on_q = abut_lerp(from, to, t)};
    found.normal = abut_unit(abut_cross(across, u));
    set_edge_weights(found.weight_p, i, 0.0);
    set_edge_weights(found.weight_q, k, t);
    take_if_nearer(gap, &found, turned);
}

/* Twice the area of a side and the foot of the perpendicular from a point, times the length of `across`: above 0 inside. Seen from the nearer
 * end of the side, so that a point beyond the sharp corner of a sliver is not taken for one inside. */
static double area_beside(const abut_vec3 q[3], int k, abut_vec3 across, abut_vec3 point) {
    abut_vec3 from = abut_sub(point, q[k]), to = abut_sub(point, q[(k + 1) % 3]);
    bool first = abut_length_squared(from) <= abut_length_squared(to);
    return abut_dot(abut_cross(across, side_of(q, k)), first ? from : to);
}

/* A triangle whose height is a rounding error is its sides. */
static bool has_face(const abut_vec3 q[3], double square) {
    const double rounding = 1e-15;
    double longest = 0.0;
    for (int k = 0; k < 3; ++k) {
        longest = real_max(longest, abut_length_squared(side_of(q, k)));
    }
    return square > rounding * rounding * longest * longest;
}

/* across: the cross product of two sides of Q. */
static void vertex_and_face(const abut_vec3 p[3], int i, const abut_vec3 q[3], abut_vec3 across, bool turned, triangles_gap *gap) {
    double weight[3], square = abut_length_squared(across), sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        weight[(k + 2) % 3] = area_beside(q, k, across, p[i]);
        if (!(weight[(k + 2) % 3] >= 0.0)) {
            return;
        }
        sum += weight[(k + 2) % 3];
    }
    if (!(sum > 0.0) || !has_face(q, square)) {
        return;
    }
    const abut_vec3 at[4] = {q[0], q[1], q[2], p[i]};
    double length = sqrt(square), height = height_of(across, abut_sub(p[i], q[0]), length, at);
    triangles_gap found = {.distance = fabs(height), .on_p = p[i]};
    found.normal = abut_scale(height < 0.0 ? -1.0 / length : 1.0 / length, across);
    found.on_q = abut_add_scaled(p[i], -found.distance, found.normal);
    set_edge_weights(found.weight_p, i, 0.0);
    for (int k = 0; k < 3; ++k) {
        found.weight_q[k] = weight[k] / sum;
    }
    take_if_nearer(gap, &found, turned);
}

/* The point of Q's edge follows from that of P's: where nearly parallel edges leave the place of both open, they still face each other. */
static void edge_and_edge(const abut_vec3 p[3], int i, const abut_vec3 q[3], int k, triangles_gap *gap) {
    const abut_vec3 at[4] = {p[i], p[(i + 1) % 3], q[k], q[(k + 1) % 3]};
    abut_vec3 u = abut_sub(at[1], at[0]), v = abut_sub(at[3], at[2]), w = abut_sub(at[2], at[0]);
    abut_vec3 across = orient_cross(at[0], at[1], at[2], at[3]);
    double square = abut_length_squared(across), height = abut_dot(across, w);
    if (is_farther(height * height / square, abut_dot(w, w), gap)) {
        return;
    }
    double s = abut_dot(abut_cross(w, v), across) / square;
    double t = abut_dot(abut_sub(abut_scale(s, u), w), v) / abut_dot(v, v);
    if (!(s > 0.0 && s < 1.0 && t > 0.0 && t < 1.0)) {
        return;
    }
    double length = sqrt(square);
    height = height_of(across, abut_neg(w), length, at);
    triangles_gap found = {.distance = fabs(height), .on_p = abut_lerp(at[0], at[1], s), .on_q = abut_lerp(at[2], at[3], t)};
    found.normal = abut_scale(height < 0.0 ? -1.0 / length : 1.0 / length, across);
    set_edge_weights(found.weight_p, i, s);
    set_edge_weights(found.weight_q, k, t);
    take_if_nearer(gap, &found, false);
}

static void find_nearest(const abut_vec3 p[3], const abut_vec3 q[3], triangles_gap *gap) {
    abut_vec3 across_p = across_of(p), across_q = across_of(q);
    gap->distance = INFINITY;
    for (int i = 0; i < 3; ++i) {
        vertex_and_face(p, i, q, across_q, false, gap);
        vertex_and_face(q, i, p, across_p, true, gap);
    }
    for (int i = 0; i < 9; ++i) {
        vertex_and_vertex(p, i / 3, q, i % 3, gap);
    }
    for (int i = 0; i < 9; ++i) {
        vertex_and_edge(p, i / 3, q, i % 3, false, gap);
        vertex_and_edge(q, i / 3, p, i % 3, true, gap);
    }
    for (int i = 0; i < 9; ++i) {
        edge_and_edge(p, i / 3, q, i % 3, gap);
    }
}

/* ---- one through the other ---- */

/* Where an edge of P whose ends are on different sides of Q's plane goes through it. */
static bool goes_through(const abut_vec3 p[3], int i, const abut_vec3 q[3], double weight_p[3], double weight_q[3]) {
    abut_vec3 from = p[i], to = p[(i + 1) % 3];
    double below = orient_volume(q[0], q[1], q[2], from), above = orient_volume(q[0], q[1], q[2], to), sum = 0.0, least = 0.0, most = 0.0;
    if (!((below < 0.0 && above > 0.0) || (below > 0.0 && above < 0.0))) {
        return false;
    }
    for (int k = 0; k < 3; ++k) {
        double part = orient_volume(from, to, q[(k + 1) % 3], q[(k + 2) % 3]);
        weight_q[k] = part;
        least = real_min(least, part);
        most = real_max(most, part);
        sum += part;
    }
    for (int k = 0; k < 3; ++k) {
        weight_q[k] /= sum;
    }
    set_edge_weights(weight_p, i, below / (below - above));
    return !(least < 0.0 && most > 0.0);
}

static bool find_crossing(const abut_vec3 p[3], const abut_vec3 q[3], triangles_gap *gap) {
    for (int i = 0; i < 3; ++i) {
        bool by_p = goes_through(p, i, q, gap->weight_p, gap->weight_q);
        if (by_p || goes_through(q, i, p, gap->weight_q, gap->weight_p)) {
            gap->on_p = gap->on_q = by_p ? at_weights(p, gap->weight_p) : at_weights(q, gap->weight_q);
            return true;
        }
    }
    return false;
}

/* ---- the direction ---- */

typedef struct widest {
    const abut_vec3 *p, *q;
    abut_vec3 of_p, of_q; /* allowed: n . of_p <= 0, n . of_q >= 0 */
    triangles_gap *gap;
} widest;

static double gap_along(const widest *w, abut_vec3 n) {
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 3; ++i) {
        double p = abut_dot(n, w->p[i]), q = abut_dot(n, w->q[i]);
        low = p < low ? p : low;
        high = q > high ? q : high;
    }
    return low - high;
}

static void offer_sense(const widest *w, abut_vec3 n) {
    const double edge_on = 1e-12; /* rounding error of a sine */
    double along = gap_along(w, n);
    if (along > w->gap->along && abut_dot(n, w->of_p) <= edge_on && abut_dot(n, w->of_q) >= -edge_on) {
        w->gap->along = along;
        w->gap->normal = n;
    }
}

/* Tests both senses of a direction of any length. On ties the first one offered wins. */
static void offer(const widest *w, abut_vec3 direction) {
    abut_vec3 n = abut_unit(direction);
    if (abut_length_squared(n) > 0.5) {
        offer_sense(w, n);
        offer_sense(w, abut_neg(n));
    }
}

/* Two directions at right angles to a side. */
static void offer_across(const widest *w, abut_vec3 side) {
    abut_vec3 along = abut_unit(side), first, second;
    if (abut_length_squared(along) > 0.5) {
        abut_tangent_frame(along, &first, &second);
        offer(w, first);
        offer(w, second);
    }
}

/* Triangles without a face may have no other directions. */
static void offer_across_sides(const widest *w) {
    for (int i = 0; i < 3; ++i) {
        offer_across(w, side_of(w->p, i));
        offer_across(w, side_of(w->q, i));
    }
    offer(w, abut_vec3_make(0.0, 0.0, 1.0)); /* two points */
}

static void find_direction(const widest *w) {
    abut_vec3 normal_p = across_of(w->p), normal_q = across_of(w->q);
    w->gap->along = -INFINITY;
    offer(w, normal_p);
    offer(w, normal_q);
    for (int i = 0; i < 9; ++i) {
        int j = i / 3, k = i % 3;
        offer(w, orient_cross(w->p[j], w->p[(j + 1) % 3], w->q[k], w->q[(k + 1) % 3]));
    }
    for (int i = 0; i < 3; ++i) {
        offer(w, abut_cross(side_of(w->p, i), normal_p));
        offer(w, abut_cross(side_of(w->q, i), normal_q));
    }
    if (!(abut_length_squared(normal_p) > 0.0) && !(abut_length_squared(normal_q) > 0.0)) {
        offer_across_sides(w);
    }
}

/* ---- any two triangles ---- */

static void unscale(triangles_gap *gap, double unit) {
    gap->distance *= unit;
    gap->along *= unit;
    gap->on_p = abut_scale(unit, gap->on_p);
    gap->on_q = abut_scale(unit, gap->on_q);
}

void triangles_closest(const abut_vec3 p[3], const abut_vec3 q[3], triangles_gap *gap) {
    abut_vec3 a[3], b[3];
    double unit = triangles_scaled(p, q, a, b);
    *gap = (triangles_gap){.relation = triangles_meet_scaled(a, b)};
    triangles_relation relation = gap->relation;
    if (relation != TRIANGLES_CROSS || !find_crossing(a, b, gap)) {
        find_nearest(a, b, gap); /* of triangles that cross at corners alone, too */
    }
    if (relation != TRIANGLES_APART) {
        gap->on_q = gap->on_p;
        gap->distance = 0.0;
    }
    gap->along = gap->distance;
    unscale(gap, unit);
    gap->distance = relation == TRIANGLES_APART ? real_max(gap->distance, DBL_MIN) : 0.0;
}

/* Of a depth that is 0. */
static double rounding_of(const abut_vec3 a[3], const abut_vec3 b[3]) {
    double most = 0.0;
    for (int i = 0; i < 3; ++i) {
        most = real_max(most, real_max(abut_dot(a[i], a[i]), abut_dot(b[i], b[i])));
    }
    return 1e-14 * sqrt(most);
}

void triangles_set_direction_within(const abut_vec3 p[3], const abut_vec3 q[3], abut_vec3 of_p, abut_vec3 of_q, triangles_gap *gap) {
    if (gap->relation == TRIANGLES_APART) {
        return;
    }
    abut_vec3 a[3], b[3];
    double unit = triangles_scaled(p, q, a, b);
    find_direction(&(widest){a, b, of_p, of_q, gap});
    bool touching = gap->relation == TRIANGLES_TOUCH && gap->along > -rounding_of(a, b);
    gap->along = touching ? 0.0 : real_min(unit * gap->along, -DBL_MIN);
}

void triangles_set_direction(const abut_vec3 p[3], const abut_vec3 q[3], triangles_gap *gap) {
    const abut_vec3 any = {0.0, 0.0, 0.0};
    triangles_set_direction_within(p, q, any, any, gap);
}
