#pragma once

#include "narrow/normal/convex.h"

/*
 * A body as a list of convex parts in the pair's frame: one part for a bounded convex shape, all parts of a compound, no part for a plane.
 */

/* A bounding ball of a part. It is enough to separate most pairs of parts. */
typedef struct part_ball {
    abut_vec3 centre; /* pair's frame */
    double radius;
} part_ball;

typedef struct convex_parts {
    convex *part;
    part_ball *ball;
    int32_t count;
    bool is_plane;
    abut_vec3 outward; /* of a plane: outward . x <= offset is inside, pair's frame */
    double offset;
    convex one; /* storage of a single part and its ball */
    part_ball one_ball;
    void *block;
} convex_parts;

/* Places a body by its rotation and position in the pair's frame. False without memory. The struct must stay where it is, and convex_parts_free() must be
 * called in either case. */
bool convex_parts_place(const abut_shape *shape, abut_mat3 rotation, abut_vec3 position, convex_parts *parts);
void convex_parts_free(convex_parts *parts);

/* A lower bound of the distance between two parts: the distance of their balls, negative where these overlap. */
static inline double convex_parts_ball_gap(const part_ball *a, const part_ball *b) {
    return abut_distance_between(a->centre, b->centre) - a->radius - b->radius;
}
