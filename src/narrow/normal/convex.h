#pragma once

#include <abut/contact.h>
#include <abut/math.h>
#include <abut/shape.h>

#include "shape/polytope.h"
#include "shape/shape.h"
#include "shape/smooth.h"

/*
 * A bounded convex shape as the generators see it: a core (a point, a segment, a polytope, a frustum or a smooth body) grown by a radius and placed in the
 * pair's frame.
 * The pair's frame is the frame of shape A, so that two shapes far from the world's origin lose no digits.
 */

typedef enum convex_core { CORE_POINT, CORE_SEGMENT, CORE_POLYTOPE, CORE_SMOOTH, CORE_FRUSTUM } convex_core;

typedef struct convex {
    convex_core core;
    const abut_shape *shape;
    const polytope *surface; /* of a polytope core, else NULL */
    double half_length;      /* of a segment core along its z axis, else 0 */
    double radius;           /* 0 for a polytope, frustum or smooth core */
    double meridian[2];      /* of a frustum: unit, across its axis; its vertices lie there. Core frame */
    double eroded;           /* boxes: every face is moved inward by this; 0 except while core points are computed */
    bool aligned;            /* the rotation is the identity, as it mostly is for A */
    abut_mat3 rotation;      /* core frame to pair's frame */
    abut_vec3 position;
    double size;  /* largest extent of the shape, radius included */
    int32_t part; /* index of this part in its compound, else 0 */
} convex;

/* Whether a rotation is the identity. The diagonal alone does not decide: it is still exactly 1 for a rotation by less than 1e-8. */
static inline bool convex_is_identity(const abut_mat3 *m) {
    return m->x.x == 1.0 && m->y.y == 1.0 && m->z.z == 1.0 && m->x.y == 0.0 && m->x.z == 0.0 && m->y.x == 0.0 && m->y.z == 0.0 &&
           m->z.x == 0.0 && m->z.y == 0.0;
}

/* Places a bounded convex shape in the pair's frame. */
void convex_set(convex *body, const abut_shape *shape, const abut_mat3 *rotation, const abut_vec3 *position, int32_t part);

/* The same, returned by value. */
convex convex_place(const abut_shape *shape, abut_mat3 rotation, abut_vec3 position, int32_t part);

/* The same body with another pose. */
convex convex_move(const convex *body, abut_mat3 rotation, abut_vec3 position);

/* Whether rounding errors are not far smaller than the bodies are thick. Then several features or directions can seem clearly the best, and a
 * cache could choose among them. Rounding errors are some 1e-16 of the sizes and the distance. */
bool convex_are_coarse(const convex *a, const convex *b);

static inline bool convex_are_polytopes(const convex *a, const convex *b) { return a->core == CORE_POLYTOPE && b->core == CORE_POLYTOPE; }

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

/* Vertex `index` of the core, core frame. A segment has the vertices 0 (-z) and 1 (+z). A point has the vertex 0. A frustum has the ends of its side's line in
 * the meridian. */
static inline abut_vec3 convex_vertex(const convex *body, int32_t index) {
    if (body->core == CORE_FRUSTUM) {
        const frustum *f = &body->shape->round;
        return abut_vec3_make(f->radius[index] * body->meridian[0], f->radius[index] * body->meridian[1], f->z[index]);
    }
    if (body->core != CORE_POLYTOPE) {
        return abut_vec3_make(0.0, 0.0, index == 0 ? -body->half_length : body->half_length);
    }
    const scan_lanes *lanes = &body->surface->vertex_lanes; /* already in the cache after a support search */
    abut_vec3 half = body->shape->half, v;
    v = body->shape->kind == ABUT_SHAPE_BOX
            ? abut_vec3_make(index & 1 ? half.x : -half.x, index & 2 ? half.y : -half.y, index & 4 ? half.z : -half.z)
            : abut_vec3_make(lanes->x[index], lanes->y[index], lanes->z[index]);
    double by = body->eroded;
    return by > 0.0 ? abut_vec3_make(convex_towards_zero(v.x, by), convex_towards_zero(v.y, by), convex_towards_zero(v.z, by)) : v;
}

/* Distance of a face's plane from the core frame's origin, along the face's normal. */
static inline double convex_face_offset(const convex *body, int32_t face) {
    if (body->core == CORE_FRUSTUM) {
        return face == 0 ? -body->shape->round.z[0] : body->shape->round.z[1];
    }
    const abut_vec3 *half = &body->shape->half;
    return body->shape->kind == ABUT_SHAPE_BOX ? (face < 2 ? half->x : face < 4 ? half->y : half->z) : body->surface->face[face].offset;
}

/* The meridian of a frustum with the outward direction; the x axis for a direction along the axis. */
static inline void convex_set_meridian(convex *body, abut_vec3 outward) {
    abut_vec3 d = convex_direction_to_local(body, outward);
    double rho = frustum_rho(d.x, d.y);
    body->meridian[0] = rho > 0.0 ? d.x / rho : 1.0;
    body->meridian[1] = rho > 0.0 ? d.y / rho : 0.0;
}

/* The same body with its vertices in that meridian. */
static inline convex convex_turned_to(const convex *body, abut_vec3 outward) {
    convex turned = *body;
    convex_set_meridian(&turned, outward);
    return turned;
}

/* The point of a vertex feature, pair's frame. For a smooth core it is the point with the given outward normal. */
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

/* Support mapping: the vertex of the core farthest along the direction (pair's frame), the lowest index among equals. *point receives the vertex in the
 * pair's frame. A smooth core has no vertices, and its points all have the index 0. The points of a frustum have the index of
 * their end. */
static inline int32_t convex_support(const convex *body, abut_vec3 direction, abut_vec3 *point) {
    if (body->core == CORE_SMOOTH) {
        *point = convex_to_pair(body, smooth_support(body->shape, convex_direction_to_local(body, direction)));
        return 0;
    }
    if (body->core == CORE_FRUSTUM) {
        int32_t end = frustum_support(&body->shape->round, convex_direction_to_local(body, direction), point);
        *point = convex_to_pair(body, *point);
        return end;
    }
    int32_t index = convex_local_support(body, convex_direction_to_local(body, direction));
    *point = convex_to_pair(body, convex_vertex(body, index));
    return index;
}

/* The point of a smooth core with the given outward normal, and its radii of curvature along u and v. All directions are unit and orthogonal, pair's frame. */
void convex_place_find(const convex *body, abut_vec3 outward, abut_vec3 u, abut_vec3 v, smooth_place *place);

/* Support function of the core: the largest direction . x. */
double convex_extent(const convex *body, abut_vec3 direction);

/* The body's volumetric centroid, pair's frame. */
abut_vec3 convex_centroid(const convex *body);

/* The centre of a largest inscribed ball, pair's frame. */
abut_vec3 convex_inner_centre(const convex *body);

/* Radius of a largest inscribed ball of the body, radius included; and the distance of the surface from the centroid. */
double convex_inradius(const convex *body);
double convex_centroid_inradius(const convex *body);

/* The point about which the body grows unless a pair has core points: the caller's, else the centroid. Pair's frame. *depth receives a lower bound of its
 * distance from the surface. */
abut_vec3 convex_contraction(const convex *body, double *depth);

/* A lower bound of the distance from a point inside the body to its surface: the smallest distance to a face plane, or what is left of the radius. Negative
 * outside, where its absolute value is a lower bound of the distance. */
double convex_depth_of(const convex *body, abut_vec3 point);

/* Whether that lower bound is above a value, at least 0. The first face plane that is too near decides. */
bool convex_is_deeper(const convex *body, abut_vec3 point, double than);

/* Whether a segment goes through a polytope core. *middle receives the middle of the part inside. Always false for other cores. */
bool convex_holds_part(const convex *body, abut_vec3 from, abut_vec3 to, abut_vec3 *middle);
