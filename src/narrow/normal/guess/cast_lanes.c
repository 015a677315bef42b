/*
 * The ray cast of search.h; compiled once per instruction set (base/simd.h). Three vertices of A - B, the portal, have the ray between them. Each step finds
 * the vertex that is farthest beyond their plane. It takes the place of one of them, so that the ray stays between the three. This is portal refinement
 * (G. Snethen, "XenoCollide"), begun at the ball about the ray's origin, which needs no search for a first portal.
 */
#include "narrow/normal/guess/points.h"

enum { MOST_SUPPORTS = 100 };

/* A vertex of A - B. */
typedef struct corner {
    abut_vec3 w; /* seen from the ray's origin */
    abut_vec3 on_a, on_b;
    int64_t vertices; /* both packed; -1 for a point of the ball */
} corner;

/* Three points of the ball, in positive order around the ray. */
static inline void begin(corner c[3], const guess_ray *cast) {
    /* Any acute angle to the ray will do; this is the cosine and sine of half a radian. */
    const double cosine = 0.87758256189037276, sine = 0.47942553860420301;
    static const double turn_x[3] = {1.0, -0.5, -0.5}, turn_y[3] = {0.0, 0.86602540378443865, -0.86602540378443865};
    abut_vec3 axis = abut_unit(cast->ray), first, second;
    abut_tangent_frame(axis, &first, &second);
    for (int i = 0; i < 3; ++i) {
        abut_vec3 side = abut_add(abut_scale(turn_x[i], first), abut_scale(turn_y[i], second));
        c[i].w = abut_scale(0.5 * cast->inside, abut_add(abut_scale(cosine, axis), abut_scale(sine, side)));
        c[i].vertices = -1;
    }
}

/* The corner that the new one replaces. The ray lies between the new corner and two others that are on different sides of it. */
static inline int leaving(const corner c[3], abut_vec3 ray, abut_vec3 w) {
    abut_vec3 across = abut_cross(ray, w);
    bool left = abut_dot(across, c[0].w) >= 0.0;
    double next = abut_dot(across, c[left ? 1 : 2].w);
    return left ? (next <= 0.0 ? 2 : 0) : (next >= 0.0 ? 1 : 0);
}

static inline bool has(const corner c[3], int64_t vertices) {
    return (c[0].vertices == vertices) | (c[1].vertices == vertices) | (c[2].vertices == vertices);
}

/* The start from the last portal: its corners, and the point where the ray passes it. Points of the ball belong to neither body and are left out. */
static inline void write_points(const corner c[3], abut_vec3 ray, sat_start *start) {
    double sum = 0.0;
    int32_t count = 1;
    start->on_a[0] = start->on_b[0] = abut_vec3_make(0.0, 0.0, 0.0);
    for (int i = 0; i < 3; ++i) {
        if (c[i].vertices < 0) {
            continue;
        }
        double weight = abut_dot(abut_cross(c[i == 2 ? 0 : i + 1].w, c[i == 0 ? 2 : i - 1].w), ray);
        weight = weight > 0.0 ? weight : 0.0;
        sum += weight;
        start->on_a[0] = abut_add_scaled(start->on_a[0], weight, c[i].on_a);
        start->on_b[0] = abut_add_scaled(start->on_b[0], weight, c[i].on_b);
        start->on_a[count] = c[i].on_a;
        start->on_b[count++] = c[i].on_b;
    }
    start->on_a[0] = abut_scale(1.0 / sum, start->on_a[0]);
    start->on_b[0] = abut_scale(1.0 / sum, start->on_b[0]);
    start->count_a = start->count_b = count;
    start->depth = sum > 0.0 && sum < INFINITY ? start->depth : INFINITY; /* rounding error can leave no portal around the ray */
}

bool SIMD_VARIANT(guess_cast)(const convex *a, const convex *b, const guess_ray *cast, abut_vec3 *direction, sat_start *start) {
    const double tolerance = 1e-9;
    const abut_vec3 ray = cast->ray;
    guess_points points_a, points_b;
    corner c[3], next;
    guess_set_points(&points_a, a);
    guess_set_points(&points_b, b);
    begin(c, cast);
    for (int supports = 1;; ++supports) {
        abut_vec3 normal = abut_cross(abut_sub(c[1].w, c[0].w), abut_sub(c[2].w, c[0].w));
        int32_t vertex_a = guess_farthest(&points_a, normal, &next.on_a),
                vertex_b = guess_farthest(&points_b, abut_neg(normal), &next.on_b);
        abut_vec3 between = abut_sub(next.on_a, next.on_b);
        next.w = abut_add(between, ray);
        next.vertices = (int64_t)vertex_a << 32 | vertex_b;
        double depth = abut_dot(normal, between), support = abut_dot(normal, next.w), square = abut_length_squared(normal);
        bool apart = depth < 0.0 && depth * depth > cast->apart * cast->apart * square;
        if (apart || has(c, next.vertices) || !(support - abut_dot(normal, c[0].w) > tolerance * support) || supports == MOST_SUPPORTS) {
            *direction = normal;
            start->depth = depth / sqrt(square);
            if (!apart) {
                write_points(c, ray, start);
            }
            return apart;
        }
        c[leaving(c, ray, next.w)] = next;
    }
}
