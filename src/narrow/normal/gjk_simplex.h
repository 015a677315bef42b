#pragma once

#include <abut/math.h>

/*
 * The simplex of GJK: up to four points in space, and the point of their convex hull closest to the origin. The points are differences of vertices of two
 * bodies.
 */

typedef struct gjk_simplex {
    abut_vec3 w[4];
    double weight[4]; /* of the closest point; > 0 after gjk_simplex_reduce() */
    int32_t vertex_a[4], vertex_b[4];
    int32_t count;
} gjk_simplex;

/* Reduces the simplex to its smallest part that holds the closest point, and writes that point. When four points remain, it is the origin. */
void gjk_simplex_reduce(gjk_simplex *s, abut_vec3 *closest);

bool gjk_simplex_has(const gjk_simplex *s, int32_t vertex_a, int32_t vertex_b);

/* Adds a point. There must be room. */
static inline void gjk_simplex_add(gjk_simplex *s, abut_vec3 w, int32_t vertex_a, int32_t vertex_b) {
    s->w[s->count] = w;
    s->vertex_a[s->count] = vertex_a;
    s->vertex_b[s->count] = vertex_b;
    ++s->count;
}
