#include "narrow/normal/gjk_simplex.h"

#include "geom/closest.h"

/* Keeps the points pick[0 .. count - 1] of s with these weights, except those of weight zero. */
static void keep(gjk_simplex *s, const int *pick, const double *weight, int count) {
    gjk_simplex kept;
    kept.count = 0;
    for (int i = 0; i < count; ++i) {
        if (weight[i] > 0.0) {
            kept.weight[kept.count] = weight[i];
            gjk_simplex_add(&kept, s->w[pick[i]], s->vertex_a[pick[i]], s->vertex_b[pick[i]]);
        }
    }
    for (int32_t i = 0; i < kept.count; ++i) {
        s->w[i] = kept.w[i];
        s->weight[i] = kept.weight[i];
        s->vertex_a[i] = kept.vertex_a[i];
        s->vertex_b[i] = kept.vertex_b[i];
    }
    s->count = kept.count;
}

static abut_vec3 combine(const gjk_simplex *s, const int *pick, const double *weight, int count) {
    abut_vec3 v = abut_scale(weight[0], s->w[pick[0]]);
    for (int i = 1; i < count; ++i) {
        v = abut_add_scaled(v, weight[i], s->w[pick[i]]);
    }
    return v;
}

/* Computes the volumes between the origin and the face opposite to each point, as shares of the whole volume. True when all are positive: the origin is
 * inside. */
static bool holds_origin(const gjk_simplex *s, double share[4]) {
    const abut_vec3 *w = s->w;
    abut_vec3 ab = abut_cross(w[0], w[1]), cd = abut_cross(w[2], w[3]);
    share[0] = abut_dot(w[1], cd);
    share[1] = -abut_dot(w[0], cd);
    share[2] = abut_dot(ab, w[3]);
    share[3] = -abut_dot(ab, w[2]);
    double whole = share[0] + share[1] + share[2] + share[3];
    bool inside = true;
    for (int i = 0; i < 4; ++i) {
        share[i] = whole != 0.0 ? share[i] / whole : -1.0;
        inside = inside && share[i] > 0.0;
    }
    return inside;
}

static void reduce_four(gjk_simplex *s, abut_vec3 *closest) {
    static const int face[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}; /* opposite to each point */
    const abut_vec3 origin = {0, 0, 0};
    double share[4], weight[3], best[3] = {0, 0, 0}, least = INFINITY;
    if (holds_origin(s, share)) {
        for (int i = 0; i < 4; ++i) {
            s->weight[i] = share[i];
        }
        *closest = origin;
        return;
    }
    int nearest = 3;
    for (int i = 0; i < 4; ++i) {
        if (share[i] > 0.0) {
            continue; /* the origin lies on the inner side of this face */
        }
        closest_on_triangle(origin, s->w[face[i][0]], s->w[face[i][1]], s->w[face[i][2]], weight);
        abut_vec3 point = combine(s, face[i], weight, 3);
        double square = abut_length_squared(point);
        if (square < least) {
            least = square;
            nearest = i;
            *closest = point;
            best[0] = weight[0];
            best[1] = weight[1];
            best[2] = weight[2];
        }
    }
    keep(s, face[nearest], best, 3);
}

void gjk_simplex_reduce(gjk_simplex *s, abut_vec3 *closest) {
    static const int all[3] = {0, 1, 2};
    const abut_vec3 origin = {0, 0, 0};
    double weight[3] = {1.0, 0.0, 0.0};
    if (s->count == 4) {
        reduce_four(s, closest);
        return;
    }
    if (s->count == 2) {
        weight[1] = closest_on_segment(origin, s->w[0], s->w[1]);
        weight[0] = 1.0 - weight[1];
    } else if (s->count == 3) {
        closest_on_triangle(origin, s->w[0], s->w[1], s->w[2], weight);
    }
    *closest = combine(s, all, weight, s->count);
    keep(s, all, weight, s->count);
}

bool gjk_simplex_has(const gjk_simplex *s, int32_t vertex_a, int32_t vertex_b) {
    bool found = false;
    for (int32_t i = 0; i < s->count; ++i) {
        found = found || (s->vertex_a[i] == vertex_a && s->vertex_b[i] == vertex_b);
    }
    return found;
}
