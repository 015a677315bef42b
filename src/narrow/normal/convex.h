#pragma once

#include <abut/contact.h>
#include <abut/math.h>
#include <abut/shape.h>

#include "shape/polytope.h"
#include "shape/shape.h"
#include "shape/smooth.h"

/*
 * A bounded convex shape as the generators see it: a core - a point, a segment, a polytope or a smooth body - grown by a radius, placed in the pair's
 * frame. The pair's frame is the frame of shape A, so that two shapes far from the world's origin lose no digits.
 */

typedef enum convex_core { CORE_POINT, CORE_SEGMENT, CORE_POLYTOPE, CORE_SMOOTH } convex_core;

typedef struct convex {
    convex_core core;
    const abut_shape *shape;
    const polytope *surface; /* of a polytope core, else NULL */
    double half_length;      /* of a segment core along its z axis, else 0 */
    double radius;           /* 0 for a polytope or smooth core */
    double eroded;           /* boxes: every face is moved inward by this; 0 but for core points */
    bool aligned;            /* the rotation is none: mostly so for A */
    abut_mat3 rotation;      /* core frame to pair frame */
    abut_vec3 position;
    double size;             /* largest extent of the shape, with its radius */
    int32_t part;            /* which part of a compound this is, else 0 */
} convex;

/* Whether a rotation is the identity. The diagonal alone does not tell: it is still 1 for a turn by less than 1e-8. */
static inline bool convex_is_identity(const abut_mat3 *m) {
    return m->x.x == 1.0 && m->y.y == 1.0 && m->z.z == 1.0 && m->x.y == 0.0 && m->x.z == 0.0 && m->y.x == 0.0 && m->y.z == 0.0 &&
           m->z.x == 0.0 && m->z.y == 0.0;
}

/* A bounded convex shape placed in the pair's frame. */
void convex_set(convex *body, const abut_shape *shape, const abut_mat3 *rotation, const abut_vec3 *position, int32_t part);

/* Asks for what will be read of the body's surface, while there is other work to do. Large ones come when they are read. */
static inline void convex_fetch(const convex *body) {
#if defined(__GNUC__)
    enum { LINE = 64, MOST_BYTES = 4096 };
    const polytope *surface = body->surface;
    bool none = body->shape->kind == ABUT_SHAPE_BOX || surface == NULL;
    size_t bytes = none ? 0 : surface->front_bytes < MOST_BYTES ? surface->front_bytes : MOST_BYTES;
    for (size_t i = 0; i < bytes; i += LINE) {
        __builtin_prefetch((const char *)surface->lanes + i);
    }
#else
    (void)body;
#endif
}

/* The same as a value. */
convex convex_place(const abut_shape *shape, abut_mat3 rotation, abut_vec3 position, int32_t part);

/* The same body elsewhere. */
convex convex_move(const convex *body, abut_mat3 rotation, abut_vec3 position);

static inline bool convex_are_polytopes(const convex *a, const convex *b) {
    return a->core == CORE_POLYTOPE && b->core == CORE_POLYTOPE;
}

static inline abut_vec3 convex_direction_to_pair(const convex *body, abut_vec3 local) {
    return body->aligned ? local : abut_mat3_apply(body->rotation, local);
}
static inline abut_vec3 convex_direction_to_local(const convex *body, abut_vec3 direction) {
    return body->aligned ? direction : abut_mat3_apply_transposed(body->rotation, direction);
}
static inline abut_vec3 convex_to_pair(const convex *body, abut_vec3 local) {
    return abut_add(convex_direction_to_pair(body, local), body->position);
}
static inline abut_vec3 convex_to_local(const convex *body, abut_vec3 point) {
    return convex_direction_to_local(body, abut_sub(point, body->position));
}

static inline double convex_towards_zero(double x, double by) {
    double left = fabs(x) - by;
    return copysign(left > 0.0 ? left : 0.0, x);
}

/* Vertex `index` of the core, core frame. A segment has vertices 0 (-z) and 1 (+z), a point has vertex 0. */
static inline abut_vec3 convex_vertex(const convex *body, int32_t index) {
    if (body->core != CORE_POLYTOPE) {
        return abut_vec3_make(0.0, 0.0, index == 0 ? -body->half_length : body->half_length);
    }
    const scan_lanes *lanes = &body->surface->vertex_lanes; /* where a search has just been */
    abut_vec3 half = body->shape->half, v;
    v = body->shape->kind == ABUT_SHAPE_BOX ? abut_vec3_make(index & 1 ? half.x : -half.x, index & 2 ? half.y : -half.y, index & 4 ? half.z : -half.z)
                                            : abut_vec3_make(lanes->x[index], lanes->y[index], lanes->z[index]);
    double by = body->eroded;
    return by > 0.0 ? abut_vec3_make(convex_towards_zero(v.x, by), convex_towards_zero(v.y, by), convex_towards_zero(v.z, by)) : v;
}

/* Distance of a face's plane from the core frame's origin, along its normal. */
static inline double convex_face_offset(const convex *body, int32_t face) {
    const abut_vec3 *half = &body->shape->half;
    return body->shape->kind == ABUT_SHAPE_BOX ? (face < 2 ? half->x : face < 4 ? half->y : half->z) : body->surface->face[face].offset;
}

/* The point of a feature's vertex, pair frame, as it is seen along an outward direction: of a smooth core the point with that normal. */
static inline abut_vec3 convex_point(const convex *body, int32_t index, abut_vec3 outward) {
    return convex_to_pair(body, body->core == CORE_SMOOTH ? smooth_support(body->shape, convex_direction_to_local(body, outward))
                                                          : convex_vertex(body, index));
}

static inline int32_t convex_local_support(const convex *body, abut_vec3 d) {
    if (body->core == CORE_POLYTOPE) {
        return body->shape->kind == ABUT_SHAPE_BOX ? (d.x > 0.0 ? 1 : 0) | (d.y > 0.0 ? 2 : 0) | (d.z > 0.0 ? 4 : 0)
                                                   : scan_farthest(&body->surface->vertex_lanes, d);
    }
    return body->core == CORE_SEGMENT && d.z > 0.0;
}

/* The vertex of the core farthest in the direction, pair frame; the lowest index among equals. *point receives it in the pair's frame. A smooth
 * core has no vertices: its points all have the index 0. */
static inline int32_t convex_support(const convex *body, abut_vec3 direction, abut_vec3 *point) {
    if (body->core == CORE_SMOOTH) {
        *point = convex_to_pair(body, smooth_support(body->shape, convex_direction_to_local(body, direction)));
        return 0;
    }
    int32_t index = convex_local_support(body, convex_direction_to_local(body, direction));
    *point = convex_to_pair(body, convex_vertex(body, index));
    return index;
}

/* The point of a smooth core with the outward normal, and its radii along u and v, square to it; all unit, pair frame. */
void convex_place_find(const convex *body, abut_vec3 outward, abut_vec3 u, abut_vec3 v, smooth_place *place);

/* Support function of the core: the largest direction . x. */
double convex_extent(const convex *body, abut_vec3 direction);

/* The body's volumetric centre, pair frame. */
abut_vec3 convex_centroid(const convex *body);

/* The middle of a largest ball inside, pair frame. */
abut_vec3 convex_inner_centre(const convex *body);

/* Radius of a largest ball inside the body (with its radius), and the distance of the surface from the centroid. */
double convex_inradius(const convex *body);
double convex_centroid_inradius(const convex *body);

/* Distance of a point inside the body from its surface plane, at least: the smallest distance to a face plane or the radius left. Negative
 * outside, where its size is a lower bound of the distance. */
double convex_depth_of(const convex *body, abut_vec3 point);
