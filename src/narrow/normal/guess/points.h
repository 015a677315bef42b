#pragma once

#include "base/simd.h"
#include "narrow/normal/guess/search.h"

/*
 * Vertices of polytopes, several in the lanes of a vector. For the files *_lanes.c of this folder, whose functions come first.
 */

extern guess_caster SIMD_VARIANT(guess_cast);
extern guess_finder SIMD_VARIANT(guess_nearest);

enum { GUESS_CORNERS = 8 };

/* A body and its vertices by coordinate. */
typedef struct guess_points {
    const convex *body;
    const double *x, *y, *z;
    int32_t count;                   /* padded */
    double corner[3][GUESS_CORNERS]; /* of a box */
} guess_points;

static inline void guess_set_points(guess_points *p, const convex *body) {
    const scan_lanes *lanes = &body->surface->vertex_lanes;
    p->body = body;
    p->x = lanes->x;
    p->y = lanes->y;
    p->z = lanes->z;
    p->count = lanes->count;
    if (body->shape->kind != ABUT_SHAPE_BOX) {
        return;
    }
    for (int32_t i = 0; i < GUESS_CORNERS; ++i) {
        abut_vec3 v = convex_vertex(body, i);
        p->corner[0][i] = v.x;
        p->corner[1][i] = v.y;
        p->corner[2][i] = v.z;
    }
    p->x = p->corner[0];
    p->y = p->corner[1];
    p->z = p->corner[2];
    p->count = GUESS_CORNERS;
}

/* A vertex that is farthest along the direction (pair's frame), and its place. */
static inline int32_t guess_farthest(const guess_points *p, abut_vec3 direction, abut_vec3 *place) {
    abut_vec3 d = convex_direction_to_local(p->body, direction);
    simd x = simd_set(d.x), y = simd_set(d.y), z = simd_set(d.z), step = simd_set(SIMD_WIDTH);
    simd best = simd_set(-INFINITY), index = simd_steps(), at = index;
    for (int32_t i = 0; i < p->count; i += SIMD_WIDTH) {
        simd value =
            simd_add(simd_add(simd_mul(simd_load(p->x + i), x), simd_mul(simd_load(p->y + i), y)), simd_mul(simd_load(p->z + i), z));
        at = simd_select(simd_greater(value, best), index, at);
        best = simd_max(value, best);
        index = simd_add(index, step);
    }
    int32_t vertex = simd_first_of_largest(best, at);
    *place = convex_to_pair(p->body, abut_vec3_make(p->x[vertex], p->y[vertex], p->z[vertex]));
    return vertex;
}
