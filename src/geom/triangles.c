/*
 * Two disjoint triangles are closest at a vertex of one and any point of the other, or at two edges: fifteen cases. If two triangles
 * intersect and neither contains a vertex of the other, an edge of one goes through the other. Their penetration depth is the smallest
 * overlap along the normals of the faces and the cross products of edges (Gottschalk, "Separating axis theorem"); in a common plane also
 * along the cross products of edge and normal.
 */

#include "geom/triangles.h"

#include "geom/closest.h"

static abut_vec3 at_weights(const abut_vec3 p[3], const double w[3]) {
    return abut_add_scaled(abut_add_scaled(abut_scale(w[0], p[0]), w[1], p[1]), w[2], p[2]);
}

static void clear_weights(double w[3]) { w[0] = w[1] = w[2] = 0.0; }

static abut_vec3 side_of(const abut_vec3 p[3], int i) { return abut_sub(p[(i + 1) % 3], p[i]); }

static abut_vec3 across_of(const abut_vec3 p[3]) { return abut_cross(side_of(p, 0), abut_sub(p[2], p[0])); }

/* ---- closest points ---- */

static void take_if_nearer(triangles_gap *gap, const triangles_gap *found) {
    double distance = abut_distance_between(found->on_p, found->on_q);
    if (distance < gap->distance) {
        *gap = *found;
        gap->distance = distance;
    }
}

static void vertex_and_face(const abut_vec3 p[3], int i, const abut_vec3 q[3], bool exchanged, triangles_gap *gap) {
    triangles_gap found = {.on_p = p[i]};
    clear_weights(found.weight_p);
    found.weight_p[i] = 1.0;
    closest_on_triangle(p[i], q[0], q[1], q[2], found.weight_q);
    found.on_q = at_weights(q, found.weight_q);
    if (exchanged) {
        triangles_gap turned = {.on_p = found.on_q, .on_q = found.on_p};
        for (int k = 0; k < 3; ++k) {
            turned.weight_p[k] = found.weight_q[k];
            turned.weight_q[k] = found.weight_p[k];
        }
        found = turned;
    }
    take_if_nearer(gap, &found);
}

static void edge_and_edge(const abut_vec3 p[3], int i, const abut_vec3 q[3], int k, triangles_gap *gap) {
    int i_end = (i + 1) % 3, k_end = (k + 1) % 3;
    double s, t;
    closest_of_segments(p[i], p[i_end], q[k], q[k_end], &s, &t);
    triangles_gap found = {.on_p = abut_lerp(p[i], p[i_end], s), .on_q = abut_lerp(q[k], q[k_end], t)};
    clear_weights(found.weight_p);
    clear_weights(found.weight_q);
    found.weight_p[i] = 1.0 - s;
    found.weight_p[i_end] = s;
    found.weight_q[k] = 1.0 - t;
    found.weight_q[k_end] = t;
    take_if_nearer(gap, &found);
}

/* ---- one through the other ---- */

/* True when an edge of P goes through Q: its ends are on different sides, and the line meets the interior. */
static bool goes_through(const abut_vec3 p[3], int i, const abut_vec3 q[3], double weight_p[3], double weight_q[3]) {
    abut_vec3 across = across_of(q), from = p[i], to = p[(i + 1) % 3];
    double below = abut_dot(across, abut_sub(from, q[0])), above = abut_dot(across, abut_sub(to, q[0]));
    if (!((below < 0.0 && above > 0.0) || (below > 0.0 && above < 0.0))) {
        return false;
    }
    double t = below / (below - above);
    abut_vec3 point = abut_lerp(from, to, t);
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        abut_vec3 u = abut_sub(q[(k + 1) % 3], point), v = abut_sub(q[(k + 2) % 3], point);
        weight_q[k] = abut_dot(across, abut_cross(u, v));
        sum += weight_q[k];
        if (weight_q[k] < 0.0) {
            return false;
        }
    }
    clear_weights(weight_p);
    weight_p[i] = 1.0 - t;
    weight_p[(i + 1) % 3] = t;
    for (int k = 0; k < 3; ++k) {
        weight_q[k] /= sum;
    }
    return sum > 0.0;
}

static void find_crossing(const abut_vec3 p[3], const abut_vec3 q[3], triangles_gap *gap) {
    for (int i = 0; i < 3; ++i) {
        bool by_p = goes_through(p, i, q, gap->weight_p, gap->weight_q);
        if (by_p || goes_through(q, i, p, gap->weight_q, gap->weight_p)) {
            gap->on_p = gap->on_q = by_p ? at_weights(p, gap->weight_p) : at_weights(q, gap->weight_q);
            gap->distance = 0.0;
            return;
        }
    }
}

/* ---- the direction ---- */

typedef struct widest {
    const abut_vec3 *p, *q;
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

/* Tests both senses of a direction of any length. On ties the first one offered wins. */
static void offer(const widest *w, abut_vec3 direction) {
    abut_vec3 n = abut_unit(direction);
    if (!(abut_length_squared(n) > 0.5)) {
        return;
    }
    double along = gap_along(w, n), back = gap_along(w, abut_neg(n));
    if (along > w->gap->along) {
        w->gap->along = along;
        w->gap->normal = n;
    }
    if (back > w->gap->along) {
        w->gap->along = back;
        w->gap->normal = abut_neg(n);
    }
}

/* The direction between the closest points when the triangles are apart. The gap along it is the distance, up to the rounding error of
 * close points. */
static void find_direction(const widest *w) {
    abut_vec3 normal_p = across_of(w->p), normal_q = across_of(w->q);
    w->gap->along = -INFINITY;
    offer(w, abut_sub(w->gap->on_p, w->gap->on_q));
    offer(w, normal_p);
    offer(w, normal_q);
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            offer(w, abut_cross(side_of(w->p, i), side_of(w->q, k)));
        }
    }
    for (int i = 0; i < 3; ++i) {
        offer(w, abut_cross(side_of(w->p, i), normal_p));
        offer(w, abut_cross(side_of(w->q, i), normal_q));
    }
    if (!(w->gap->along > -INFINITY)) {
        offer(w, abut_vec3_make(0.0, 0.0, 1.0)); /* two points, or two collinear lines */
    }
}

void triangles_closest(const abut_vec3 p[3], const abut_vec3 q[3], triangles_gap *gap) {
    *gap = (triangles_gap){.distance = INFINITY};
    for (int i = 0; i < 3; ++i) {
        vertex_and_face(p, i, q, false, gap);
        vertex_and_face(q, i, p, true, gap);
    }
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            edge_and_edge(p, i, q, k, gap);
        }
    }
    if (gap->distance > 0.0) {
        triangles_gap crossing = *gap;
        find_crossing(p, q, &crossing);
        *gap = crossing.distance < gap->distance ? crossing : *gap;
    }
}

void triangles_set_direction(const abut_vec3 p[3], const abut_vec3 q[3], triangles_gap *gap) { find_direction(&(widest){p, q, gap}); }
