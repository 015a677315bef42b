#pragma once

#include <stdatomic.h>

#include <abut/shape.h>

#include "shape/mass.h"
#include "shape/polytope.h"

/*
 * What a shape is inside the library. One struct for all kinds; a kind uses the fields that its comment names and leaves the rest zero.
 */

struct abut_shape {
    /* What every contact reads comes first. */
    abut_kind kind;
    atomic_int references;
    double size;        /* all but planes: the largest extent of the bounds, the scale of every tolerance; planes 0 */
    double radius;      /* sphere, capsule */
    double half_length; /* capsule */
    abut_vec3 half;     /* box; ellipsoid, superquadric: semi-axes */
    polytope surface;   /* box, polytope */
    struct trimesh *mesh; /* trimesh; facetmesh: its triangles, in boxes that hold their bulging pieces of spheres */
    struct facetmesh *facets; /* facetmesh */

    double exponent[2];  /* superquadric: of the meridians and of the parallels */
    double dual[2];      /* superquadric: powers of the dual norm, of z with the others and of x with y */
    double inner_radius; /* ellipsoid, superquadric: of a ball about the origin that lies inside */
    double least_radius; /* the same: no radius of curvature is less */

    struct smooth_user *user; /* implicit, parametric */
    bool convex;              /* the same: known to be */

    abut_vec3 normal; /* plane: outward unit normal */
    double offset;    /* plane: normal . x <= offset is inside */

    abut_part *parts;       /* compound */
    int32_t part_count;     /* compound */
    abut_aabb *part_bounds; /* compound: of each part, compound frame */

    abut_mass unit_mass; /* all but planes: for density 1 */
    abut_aabb bounds;    /* all but planes: shape frame */
};

/* Bounded and convex: what most questions are answered for. */
static inline bool shape_is_convex(const abut_shape *shape) {
    return shape->kind == ABUT_SHAPE_SPHERE || shape->kind == ABUT_SHAPE_CAPSULE || shape->kind == ABUT_SHAPE_BOX ||
           shape->kind == ABUT_SHAPE_POLYTOPE || shape->kind == ABUT_SHAPE_ELLIPSOID || shape->kind == ABUT_SHAPE_SUPERQUADRIC || shape->convex;
}

/* A shape of that kind with one reference, everything else zero; NULL when there is no memory. */
abut_shape *shape_allocate(abut_kind kind);

/* Frees a shape that was never handed out, with what it owns. NULL does nothing. */
void shape_free(abut_shape *shape);

/* Says that a call wants another kind of shape; returns ABUT_ERROR_INVALID_ARGUMENT. */
abut_status shape_refuse_kind(const char *call, const char *argument, const abut_shape *shape, const char *wanted);

/* Hands the finished shape to the caller when its volume, its moments of inertia and products of its lengths are ordinary numbers (no
 * overflow, no underflow) and it is not thinner than rounding; else frees it, says so in the name of the public function `call` and returns ABUT_ERROR_INVALID_ARGUMENT. */
abut_status shape_publish(const char *call, abut_shape *shape, abut_shape **result);

/* The same for a shape whose surface is complete and measured: size and bounds are taken from it. */
abut_status shape_publish_polytope(const char *call, abut_shape *shape, abut_shape **result);

/* The same for a mesh, whose bounds are known, and its mass if it has one. */
abut_status shape_publish_mesh(const char *call, abut_shape *shape, abut_shape **result);

/* Axis-aligned bounds of the points, shape frame; empty when count is 0. */
abut_aabb shape_point_bounds(const abut_vec3 *points, int32_t count);

/* The smallest box around both. */
abut_aabb shape_join_bounds(abut_aabb a, abut_aabb b);

/* The largest side of the box. */
double shape_largest_extent(abut_aabb bounds);
