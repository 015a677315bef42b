#pragma once

#include "narrow/normal/convex.h"

/*
 * Features of boxes by closed forms: abut_shape_create_box() defines the indices. Kinds and indices are numbers of their own here. A record of both that is
 * written in small pieces and read back in larger ones is slow.
 */

/* The vertex farthest along a direction in the box's frame. */
static inline int32_t box_vertex_along(const double d[3]) { return (d[0] > 0.0 ? 1 : 0) | (d[1] > 0.0 ? 2 : 0) | (d[2] > 0.0 ? 4 : 0); }

/* The edge along an axis that holds the vertex. Edges are sorted by their vertices. */
static inline int32_t box_edge_along(int axis, int32_t vertex) {
    static const int8_t from_lower_end[3][8] = {{0, -1, 5, -1, 8, -1, 11, -1}, {1, 3, -1, -1, 9, 10, -1, -1}, {2, 4, 6, 7, -1, -1, -1, -1}};
    return from_lower_end[axis][vertex & ~(1 << axis)];
}

static inline int32_t box_face_along(int axis, double sense) { return 2 * axis + (sense > 0.0 ? 1 : 0); }

/* 2, or the first one of 0 and 1, or the second one. A choice that is hard to foresee is no reason to branch. */
static inline int box_one_of_three(bool second, bool third) { return third << 1 | (second & !third); }

/* The axis of the face that takes part in a contact along the direction, up to an angle with that sine; -1 when no face does. Box frame. */
static inline int box_face_axis_within(abut_vec3 direction, double limit) {
    const double x = direction.x * direction.x, y = direction.y * direction.y, z = direction.z * direction.z;
    const double others[3] = {y + z, z + x, x + y};
    int most = box_one_of_three(y > x, z > (y > x ? y : x));
    return others[most] <= limit * limit ? most : -1;
}

/* The angle has its own limit for each shape. */
static inline double box_face_limit(const abut_shape *box, double sine) {
    double limit = box->surface.face[0].sine;
    return sine < limit ? sine : limit;
}

static inline int box_face_axis(const convex *box, abut_vec3 direction, double sine) {
    return box_face_axis_within(direction, box_face_limit(box->shape, sine));
}

/* The axis of the edge that takes part when no face does; -1 when the vertex does. */
static inline int box_edge_axis(abut_vec3 direction, double sine) {
    const double x = direction.x * direction.x, y = direction.y * direction.y, z = direction.z * direction.z;
    double lower = y < x ? y : x, least = z < lower ? z : lower;
    int axis = box_one_of_three(y < x, z < lower);
    return axis | -(int)(least > sine * sine);
}
