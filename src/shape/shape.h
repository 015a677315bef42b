#pragma once

#include <stdatomic.h>

#include <abut/shape.h>

#include "shape/frustum/frustum.h"
#include "shape/polytope.h"

/*
 * The data of a shape. One struct serves all kinds. A kind uses the fields that name it in their comment; all others are zero.
 */

typedef struct abut_shape *_Atomic shape_skin;

struct abut_shape {
    /* Fields that every contact reads come first: they share a line of the cache. */
    abut_kind kind;
    atomic_int references;
    abut_vec3 half;           /* box; ellipsoid, superquadric: semi-axes */
    double size;              /* all kinds but planes: the largest extent of the bounds, which scales every tolerance; 0 for planes */
    double radius;            /* sphere, capsule */
    double half_length;       /* capsule */
    double offset;            /* plane: normal . x <= offset is inside */
    double contraction_depth; /* a lower bound of the contraction point's distance from the surface; 0 without one */
    polytope surface;         /* box, polytope */
    struct trimesh *mesh;     /* trimesh; facetmesh: its triangles, in boxes that hold their spherical caps */
    struct facetmesh *facets; /* facetmesh */
    frustum round;            /* cylinder, cone */

    double exponent[2]; /* superquadric: exponents of the meridians and of the parallels */
    double dual[2];     /* superquadric: exponents of the dual norm, of z with the others and of x with y */
    double
        inner_radius; /* ellipsoid, superquadric: radius of a ball about the origin that lies inside; cylinder, cone: of a largest ball inside */
    double least_radius; /* ellipsoid, superquadric: lower bound of the radii of curvature */

    struct smooth_user *user; /* implicit, parametric */
    bool convex;              /* implicit, parametric: known to be convex */

    abut_vec3 normal; /* plane: outward unit normal */

    abut_part *parts;       /* compound */
    int32_t part_count;     /* compound */
    abut_aabb *part_bounds; /* compound: of each part, compound frame */

    const struct abut_shape
        *base; /* a shape with a contraction point or a mass of the caller: the shape that owns everything else; NULL for others */
    abut_vec3 contraction; /* bounded convex kinds: that point; zero without one */

    bool weighted;       /* the caller gave its mass distribution */
    abut_mass unit_mass; /* all kinds but planes: for density 1 */
    abut_aabb bounds;    /* all kinds but planes: shape frame */
    shape_skin skin;     /* its surface as rounded triangles; NULL until facetmesh_skin_of() makes it */
};

/* A cylinder or a cone: `round` describes it. */
static inline bool shape_is_frustum(const abut_shape *shape) {
    return shape->kind == ABUT_SHAPE_CYLINDER || shape->kind == ABUT_SHAPE_CONE;
}

/* Bounded and convex. Most queries support these shapes. */
static inline bool shape_is_convex(const abut_shape *shape) {
    return shape->kind == ABUT_SHAPE_SPHERE || shape->kind == ABUT_SHAPE_CAPSULE || shape->kind == ABUT_SHAPE_BOX ||
           shape->kind == ABUT_SHAPE_POLYTOPE || shape->kind == ABUT_SHAPE_ELLIPSOID || shape->kind == ABUT_SHAPE_SUPERQUADRIC ||
           shape_is_frustum(shape) || shape->convex;
}
/* Says that a call wants another kind of shape, "a mesh" for example; returns ABUT_ERROR_INVALID_ARGUMENT. */
abut_status shape_refuse_kind(const char *call, const char *argument, const abut_shape *shape, const char *wanted);
