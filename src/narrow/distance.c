#include "narrow/distance.h"

#include <string.h>

#include "geom/closest.h"

enum { MOST_SUPPORTS = 256 };

typedef struct simplex {
    distance_vertex vertex[4];
    double weight[4];
    int32_t count;
} simplex;

static abut_vec3 simplex_point(const simplex *s) {
    abut_vec3 v = {0, 0, 0};
    for (int32_t i = 0; i < s->count; ++i) {
        v = abut_add_scaled(v, s->weight[i], s->vertex[i].w);
    }
    return v;
}

static void drop_unused(simplex *s) {
    int32_t kept = 0;
    for (int32_t i = 0; i < s->count; ++i) {
        if (s->weight[i] > 0.0) {
            s->vertex[kept] = s->vertex[i];
            s->weight[kept++] = s->weight[i];
        }
    }
    s->count = kept;
}

/* Sub-simplex of the triangle i, j, k of s that is closest to the origin. */
static simplex closest_in_triangle(const simplex *s, int i, int j, int k) {
    const abut_vec3 origin = {0, 0, 0};
    simplex t = {.vertex = {s->vertex[i], s->vertex[j], s->vertex[k]}, .count = 3};
    closest_on_triangle(origin, t.vertex[0].w, t.vertex[1].w, t.vertex[2].w, t.weight);
    drop_unused(&t);
    return t;
}

static double volume(abut_vec3 a, abut_vec3 b, abut_vec3 c, abut_vec3 d) {
    return abut_dot(abut_cross(abut_sub(b, a), abut_sub(c, a)), abut_sub(d, a));
}

/* Does the tetrahedron hold the origin? Then its weights are set. */
static bool holds_origin(simplex *s) {
    const abut_vec3 o = {0, 0, 0};
    abut_vec3 a = s->vertex[0].w, b = s->vertex[1].w, c = s->vertex[2].w, d = s->vertex[3].w;
    double whole = volume(a, b, c, d);
    double part[4] = {volume(o, b, c, d), volume(a, o, c, d), volume(a, b, o, d), volume(a, b, c, o)};
    for (int i = 0; i < 4; ++i) {
        if (!(part[i] * whole > 0.0)) {
            return false;
        }
    }
    for (int i = 0; i < 4; ++i) {
        s->weight[i] = part[i] / whole;
    }
    return true;
}

static void reduce_tetrahedron(simplex *s) {
    static const int face[4][3] = {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}};
    if (holds_origin(s)) {
        return;
    }
    simplex best = {.count = 0};
    double least = INFINITY;
    for (int i = 0; i < 4; ++i) {
        simplex t = closest_in_triangle(s, face[i][0], face[i][1], face[i][2]);
        double length = abut_length_squared(simplex_point(&t));
        if (length < least) {
            least = length;
            best = t;
        }
    }
    *s = best;
}

/* Replace the simplex by its smallest face that holds its point closest to the origin. */
static void simplex_reduce(simplex *s) {
    const abut_vec3 origin = {0, 0, 0};
    if (s->count == 1) {
        s->weight[0] = 1.0;
    } else if (s->count == 2) {
        double t = closest_on_segment(origin, s->vertex[0].w, s->vertex[1].w);
        s->weight[0] = 1.0 - t;
        s->weight[1] = t;
        drop_unused(s);
    } else if (s->count == 3) {
        *s = closest_in_triangle(s, 0, 1, 2);
    } else {
        reduce_tetrahedron(s);
    }
}

static distance_vertex support_vertex(const convex *a, const convex *b, abut_vec3 direction) {
    distance_vertex v;
    v.vertex_a = convex_support(a, direction, &v.a);
    v.vertex_b = convex_support(b, abut_neg(direction), &v.b);
    v.w = abut_sub(v.a, v.b);
    return v;
}

static bool is_known(const simplex *s, const distance_vertex *v) {
    for (int32_t i = 0; i < s->count; ++i) {
        if (s->vertex[i].vertex_a == v->vertex_a && s->vertex[i].vertex_b == v->vertex_b) {
            return true;
        }
    }
    return false;
}

static core_distance read_result(const simplex *s, int32_t supports) {
    core_distance result = {.count = s->count, .supports = supports};
    memcpy(result.vertex, s->vertex, sizeof result.vertex);
    memcpy(result.weight, s->weight, sizeof result.weight);
    for (int32_t i = 0; i < s->count; ++i) {
        result.on_a = abut_add_scaled(result.on_a, s->weight[i], s->vertex[i].a);
        result.on_b = abut_add_scaled(result.on_b, s->weight[i], s->vertex[i].b);
    }
    return result;
}

core_distance core_distance_solve(const convex *a, const convex *b) {
    abut_vec3 apart = abut_sub(b->position, a->position);
    double scale = a->size + b->size + abut_length(apart);
    double rounding = 4e-16 * scale;
    abut_vec3 start = abut_sub(convex_centroid(b), convex_centroid(a));
    simplex s = {.count = 1};
    s.vertex[0] = support_vertex(a, b, abut_length(start) > 0.0 ? start : abut_make_vec3(1, 0, 0));
    simplex_reduce(&s);
    abut_vec3 v = simplex_point(&s);
    int32_t supports = 1;
    while (s.count < 4 && abut_length(v) > rounding && supports < MOST_SUPPORTS) {
        distance_vertex w = support_vertex(a, b, abut_neg(v));
        ++supports;
        double length = abut_length(v);
        if (length - abut_dot(v, w.w) / length <= rounding + 1e-15 * length || is_known(&s, &w)) {
            break;
        }
        simplex next = s;
        next.vertex[next.count++] = w;
        simplex_reduce(&next);
        abut_vec3 closer = simplex_point(&next);
        if (next.count < 4 && abut_length(closer) >= length) {
            break; /* rounding stopped the descent */
        }
        s = next;
        v = closer;
    }
    core_distance result = read_result(&s, supports);
    double length = abut_length(v);
    if (s.count < 4 && length > rounding) {
        result.distance = length;
        result.direction = abut_neg(abut_unit(v));
    }
    return result;
}
