#pragma once

#include "narrow/normal/convex.h"

/*
 * A body as its convex parts in the pair's frame: one for a sphere, capsule, box or polytope, those of a compound, none for a plane.
 */

/* A ball that holds a part: what most pairs of parts are told apart by. */
typedef struct part_ball {
    abut_vec3 centre; /* pair frame */
    double radius;
} part_ball;

typedef struct convex_parts {
    convex *part;
    part_ball *ball;
    int32_t count;
    bool is_plane;
    abut_vec3 outward; /* of a plane: outward . x <= offset is inside, pair frame */
    double offset;
    convex one; /* where the only part and its ball lie */
    part_ball one_ball;
    void *block;
} convex_parts;

/* Places a body with its frame's rotation and position in the pair's frame. False without memory. The struct must stay where it is, and
 * goes to convex_parts_free() in either case. */
bool convex_parts_place(const abut_shape *shape, abut_mat3 rotation, abut_vec3 position, convex_parts *parts);
void convex_parts_free(convex_parts *parts);

/* Two parts are no nearer to each other than this: the distance of their balls, negative where these overlap. */
static inline double convex_parts_ball_gap(const part_ball *a, const part_ball *b) {
    return abut_distance_between(a->centre, b->centre) - a->radius - b->radius;
}
