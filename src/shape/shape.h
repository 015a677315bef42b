#pragma once

#include <stdatomic.h>

#include <abut/shape.h>

#include "shape/polytope.h"

/*
 * The representation of a shape inside the library. One struct serves all kinds; a kind uses the fields whose comments name it, and the
 * others are zero.
 */

struct abut_shape {
    /* Data that every contact query reads come first. */
    abut_kind kind;
    atomic_int references;
    double size;        /* all but planes: the largest extent of the bounds, which scales every tolerance; planes 0 */
    double radius;      /* sphere, capsule */
    double half_length; /* capsule */
    abut_vec3 half;     /* box; ellipsoid, superquadric: semi-axes */
    polytope surface;   /* box, polytope */
    struct trimesh *mesh; /* trimesh; facetmesh: its triangles, in boxes that hold their spherical caps */
    struct facetmesh *facets; /* facetmesh */

    double exponent[2]; /* superquadric: exponents of the meridians and of the parallels */
    double dual[2]; /* superquadric: exponents of the dual norm, of z with the others and of x with y */
    double inner_radius; /* ellipsoid, superquadric: radius of a ball about the origin that lies inside */
    double least_radius; /* ellipsoid, superquadric: lower bound of the radii of curvature */

    struct smooth_user *user; /* implicit, parametric */
    bool convex;              /* implicit, parametric: known to be convex */

    abut_vec3 normal; /* plane: outward unit normal */
    double offset;    /* plane: normal . x <= offset is inside */

    abut_part *parts;       /* compound */
    int32_t part_count;     /* compound */
    abut_aabb *part_bounds; /* compound: bounds of each part, compound frame */

    abut_mass unit_mass; /* all kinds but planes: for density 1 */
    abut_aabb bounds;    /* all kinds but planes: shape frame */
};

/* Bounded and convex. Most queries support these shapes. */
static inline bool shape_is_convex(const abut_shape *shape) {
    return shape->kind == ABUT_SHAPE_SPHERE || shape->kind == ABUT_SHAPE_CAPSULE || shape->kind == ABUT_SHAPE_BOX ||
           shape->kind == ABUT_SHAPE_POLYTOPE || shape->kind == ABUT_SHAPE_ELLIPSOID || shape->kind == ABUT_SHAPE_SUPERQUADRIC || shape->convex;
}

/* A shape of that kind with one reference; everything else is zero. NULL when there is no memory. */
abut_shape *shape_allocate(abut_kind kind);

/* Frees a shape that was never returned to the caller, with everything it owns. Does nothing for NULL. */
void shape_free(abut_shape *shape);

/* Returns the finished shape to the caller. Its volume, its moments of inertia and products of its lengths must be ordinary numbers (no
 * overflow, no underflow), and it must be thicker than rounding error; else frees it and returns ABUT_ERROR_INVALID_ARGUMENT. */
abut_status shape_publish(abut_shape *shape, abut_shape **result);

/* The same for a shape whose surface is complete and measured: takes size and bounds from the surface. */
abut_status shape_publish_polytope(abut_shape *shape, abut_shape **result);

/* The same for a mesh with known bounds, and mass if it has one. */
abut_status shape_publish_mesh(abut_shape *shape, abut_shape **result);

/* Axis-aligned bounds of the points, shape frame; empty when count is 0. */
abut_aabb shape_point_bounds(const abut_vec3 *points, int32_t count);

/* The smallest box around both. */
abut_aabb shape_join_bounds(abut_aabb a, abut_aabb b);

/* The largest side of the box. */
double shape_largest_extent(abut_aabb bounds);
