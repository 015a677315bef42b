#pragma once

#include <stdatomic.h>

#include <abut/shape.h>

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
