#pragma once

#include <abut/base.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/shape.h>

/**
 * @file smooth.h
 * Curved shapes, and the curvature of the surface of any shape. docs/methods/smooth.md explains them.
 *
 * Conventions: frames, references, lengths and statuses are as in shape.h.
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The ellipsoid (x / half.x)^2 + (y / half.y)^2 + (z / half.z)^2 <= 1.
 * @param half  semi-axes, each > 0 [length]
 * @return ABUT_OK; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_INVALID_ARGUMENT for a semi-axis <= 0, a semi-axis as small as the rounding error of another,
 *         or shape NULL; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_ellipsoid(abut_vec3 half, abut_shape **shape);

/** Least exponent of a superquadric. With smaller exponents, normals near the flat sides would be too close to distinguish in double precision. */
#define ABUT_SUPERQUADRIC_LEAST_EXPONENT 0.2
/** Largest exponent of a superquadric. */
#define ABUT_SUPERQUADRIC_LARGEST_EXPONENT 1.8

/**
 * The superellipsoid (|x / half.x|^(2/e2) + |y / half.y|^(2/e2))^(e2/e1) + |z / half.z|^(2/e1) <= 1 (Barr, "Superquadrics and
 * angle-preserving transformations"). It is strictly convex for exponents between 0 and 2. e1 shapes the meridians and e2 the parallels: 1 is
 * round, towards 0 square, towards 2 a double cone. At the axes the surface is flat for an exponent below 1, and its radius of curvature is 0 for
 * an exponent above 1: see abut_shape_curvature().
 *
 * @param half  semi-axes, each > 0 [length]
 * @param e1    exponent of the meridians, ABUT_SUPERQUADRIC_LEAST_EXPONENT to ABUT_SUPERQUADRIC_LARGEST_EXPONENT
 * @param e2    exponent of the parallels, in the same range
 * @return as abut_shape_create_ellipsoid()
 */
ABUT_API abut_status abut_shape_create_superquadric(abut_vec3 half, double e1, double e2, abut_shape **shape);

/** Semi-axes of an ellipsoid or superquadric [length]; zero for every other kind and for NULL. */
ABUT_API abut_vec3 abut_shape_semi_axes(const abut_shape *shape);
/** Exponents of a superquadric; 0 for every other kind and for NULL. Either pointer may be NULL. */
ABUT_API void abut_shape_exponents(const abut_shape *shape, double *e1, double *e2);

/** Value and derivatives of an implicit function F at a point. Shape frame. */
typedef struct abut_implicit_point {
    double value;       /**< F: negative inside, positive outside */
    abut_vec3 gradient; /**< gradient of F; not zero on the surface */
    abut_mat3 hessian;  /**< matrix of the second derivatives of F; symmetric */
} abut_implicit_point;

/**
 * Evaluates F at a point of the shape frame and writes all fields of *at. Any thread that queries the shape may call it, so it must not change its
 * context.
 */
typedef void abut_implicit_function(void *context, abut_vec3 point, abut_implicit_point *at);

/** Definition of the body F(x) <= 0. Shape frame. Zero-initialise it. */
typedef struct abut_implicit_def {
    abut_implicit_function *function; /**< evaluates F; never NULL */
    void *context;                    /**< passed to the function; owned by the caller; must live as long as the shape */
    abut_aabb bounds;                 /**< a box that contains the body */
    abut_vec3 inside;                 /**< a point with F < 0 inside `bounds` */
    bool convex;                      /**< true: the body is convex, and its surface is curved everywhere; checked at some hundred points */
} abut_implicit_def;

/**
 * A body defined by an implicit function.
 *
 * Contacts and all queries with every other shape are supported: see docs/methods/smooth.md. Those of a body that is not convex, for example a torus, are
 * searched on a mesh (abut_shape_surface_mesh()) and then made exact. Where that mesh is not closed, every query about a pair returns
 * ABUT_ERROR_UNSUPPORTED_PAIR. Support points and abut_shape_curvature() need a convex body, and return ABUT_ERROR_NOT_CONVEX. A body that is not convex
 * cannot be a part of a compound.
 *
 * Mass properties are computed by quadrature: about to rounding error for convex bodies, to about 1e-4 for others.
 *
 * @param def  read during the call only, except `function` and `context`; never NULL
 * @return ABUT_OK; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_INVALID_ARGUMENT for NULL, an empty box, a point `inside` that is outside the box or the
 *         body, a box that cuts the body, or a function without finite derivatives on the surface; ABUT_ERROR_NOT_CONVEX when the body is said to
 *         be convex and is not; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_implicit(const abut_implicit_def *def, abut_shape **shape);

/** Point and derivatives of a parametric surface S at a pair of parameters (u, v). Shape frame. */
typedef struct abut_parametric_point {
    abut_vec3 s;   /**< point S(u, v) */
    abut_vec3 su;  /**< first derivative of S by u */
    abut_vec3 sv;  /**< first derivative of S by v */
    abut_vec3 suu; /**< second derivative of S by u */
    abut_vec3 suv; /**< second derivative of S by u and v */
    abut_vec3 svv; /**< second derivative of S by v */
} abut_parametric_point;

/**
 * Evaluates S at (u, v) and writes all fields of *at. It may be called slightly outside the ranges. Any thread that queries the shape may call it,
 * so it must not change its context.
 */
typedef void abut_parametric_function(void *context, double u, double v, abut_parametric_point *at);

/** Definition of a body by its closed surface S(u, v). Shape frame. Zero-initialise it. */
typedef struct abut_parametric_def {
    abut_parametric_function *function; /**< evaluates S; never NULL */
    void *context;                      /**< passed to the function; owned by the caller; must live as long as the shape */
    double u_range[2];                  /**< begin and end of u; both ranges together cover the surface once and leave no border */
    double v_range[2];                  /**< begin and end of v */
    bool u_periodic;                    /**< true: the end of the range of u joins its begin */
    bool v_periodic;                    /**< true: the end of the range of v joins its begin */
    bool convex;                        /**< as in abut_implicit_def */
} abut_parametric_def;

/**
 * A body defined by its parametric surface. The sign of the enclosed volume decides which side is outside. A whole side of the ranges may be
 * one point (a pole). In all other respects as abut_shape_create_implicit(), with mass properties about to rounding error for every body.
 *
 * @param def  read during the call only, except `function` and `context`; never NULL
 * @return as abut_shape_create_implicit(); ABUT_ERROR_INVALID_ARGUMENT also for empty ranges, tangents that do not span a plane, or a surface that
 *         encloses no volume; ABUT_ERROR_NOT_CLOSED for a surface with a border, unless the fluxes of all constant and linear fields through it happen to be
 *         those of a closed surface, to about 1e-3
 */
ABUT_API abut_status abut_shape_create_parametric(const abut_parametric_def *def, abut_shape **shape);

/**
 * The torus about the z axis: all points within tube_radius of the circle of ring_radius in the plane z = 0. A parametric body that is not convex; u turns
 * about the axis, v about the middle of the tube.
 *
 * @param ring_radius  > tube_radius [length]
 * @param tube_radius  > 0 [length]
 * @return ABUT_OK; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_INVALID_ARGUMENT for radii outside their ranges or shape NULL; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_torus(double ring_radius, double tube_radius, abut_shape **shape);

/**
 * Function and settings of an implicit body, as it was defined. They can be evaluated and checked, also those of a formula (formula.h).
 * @param def  written on ABUT_OK; its context is valid as long as the shape; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or a shape of another kind
 */
ABUT_API abut_status abut_shape_implicit(const abut_shape *shape, abut_implicit_def *def);

/**
 * Function and settings of a parametric body, as it was defined.
 * @param def  as for abut_shape_implicit()
 * @return as abut_shape_implicit()
 */
ABUT_API abut_status abut_shape_parametric(const abut_shape *shape, abut_parametric_def *def);

/**
 * The closed mesh that stands for the surface of a smooth body that is not convex, while its contacts are searched. They are then made exact.
 * docs/methods/smooth.md explains it.
 * @param mesh   set to a mesh that belongs to the shape and lives as long as it; never NULL
 * @param error  receives how far the surface is from the triangles, at most, by samples of every triangle [length]; may be NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a shape of another kind or a convex body; ABUT_ERROR_NOT_CLOSED for an implicit body that is thinner
 *         than the cells of the grid, of which there are 32 along its longest side
 */
ABUT_API abut_status abut_shape_surface_mesh(const abut_shape *shape, const abut_shape **mesh, double *error);

/** A derivative of an implicit function or a parametric surface. */
typedef enum abut_derivative {
    ABUT_DERIVATIVE_NONE = 0, /**< none */
    ABUT_DERIVATIVE_GRADIENT, /**< gradient of an implicit function; compared with its values */
    ABUT_DERIVATIVE_HESSIAN,  /**< Hessian of an implicit function; compared with its gradient */
    ABUT_DERIVATIVE_SU,       /**< first derivative of a parametric surface by u; compared with its points */
    ABUT_DERIVATIVE_SV,       /**< first derivative by v; compared with its points */
    ABUT_DERIVATIVE_SUU,      /**< second derivative of a parametric surface by u; compared with its first derivatives */
    ABUT_DERIVATIVE_SUV,      /**< second derivative by u and v; compared with its first derivatives */
    ABUT_DERIVATIVE_SVV       /**< second derivative by v; compared with its first derivatives */
} abut_derivative;

/** Result of a check of derivatives. */
typedef struct abut_derivative_report {
    abut_derivative wrong; /**< the derivative that is wrong; a first one before a second one, because second derivatives are compared with first
                                ones; ABUT_DERIVATIVE_NONE when all are right */
    double error;          /**< largest deviation, relative to the largest derivatives at that point. A deviation within the error of the finite
                                differences counts as 0 */
    abut_vec3 point;       /**< point of the largest deviation, shape frame */
    double u;              /**< parameter u of that point of a parametric surface; else 0 */
    double v;              /**< parameter v of that point of a parametric surface; else 0 */
} abut_derivative_report;

/**
 * Compare the gradient and the Hessian of an implicit function with central differences, at 64 points within the bounds.
 * @param def     never NULL
 * @param report  written on ABUT_OK and ABUT_ERROR_DERIVATIVE; may be NULL
 * @return ABUT_OK; ABUT_ERROR_DERIVATIVE when a relative deviation is above 1e-5 or not finite; ABUT_ERROR_INVALID_ARGUMENT for NULL;
 *         ABUT_ERROR_NOT_FINITE for bounds that are not finite
 */
ABUT_API abut_status abut_implicit_check(const abut_implicit_def *def, abut_derivative_report *report);

/**
 * Compare the first and second derivatives of a parametric surface with central differences, at 64 points within its ranges.
 * @param def     never NULL
 * @param report  written on ABUT_OK and ABUT_ERROR_DERIVATIVE; may be NULL
 * @return ABUT_OK; ABUT_ERROR_DERIVATIVE when a relative deviation is above 1e-5 or not finite; ABUT_ERROR_INVALID_ARGUMENT for NULL or an empty
 *         range
 */
ABUT_API abut_status abut_parametric_check(const abut_parametric_def *def, abut_derivative_report *report);

/** Curvature of a surface at a point. Shape frame. Curvatures are positive where the surface is convex; on a saddle one of them is negative. */
typedef struct abut_curvature {
    abut_feature feature;   /**< feature of the surface: a face is flat, an edge is flat along itself and sharp across, a vertex is sharp; a rim of
                                 a cylinder or cone bends along itself */
    abut_vec3 point;        /**< point on the surface */
    abut_vec3 normal;       /**< outward unit normal */
    abut_vec3 direction[2]; /**< principal directions: unit; (direction[0], direction[1], normal) is right-handed */
    double curvature[2];    /**< curvatures along these directions, ascending; 0 where flat, INFINITY where sharp [1 / length] */
    double radius[2];       /**< radii of curvature, 1 / curvature: INFINITY where flat, 0 where sharp [length] */
} abut_curvature;

/**
 * Curvature of a shape at the point where its outward normal is `direction`, that is at its support point. A direction within 1e-9 [rad] of the
 * normal of a face selects the face. A direction within 1e-9 [rad] of the normals of an edge selects the edge. A direction within 1e-9 [rad] of
 * the normals of the side of a capsule, a cylinder or a cone selects the side, at half its height. A rim of a cylinder or a cone bends along itself with its
 * radius divided by the part of the normal across the axis, and is sharp across. For a compound: the curvature of the part that reaches farthest.
 *
 * @param direction  shape frame; any length but zero
 * @param curvature  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a zero direction or a mesh; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_UNBOUNDED for a
 *         plane, unless the direction is its normal; ABUT_ERROR_NOT_CONVEX for a smooth shape that is not convex
 */
ABUT_API abut_status abut_shape_curvature(const abut_shape *shape, abut_vec3 direction, abut_curvature *curvature);

/**
 * Curvature of a smooth shape at a point on its surface or near it. For ellipsoids, superquadrics, implicit and parametric shapes, convex or not.
 * The point is first projected onto the surface, approximately to the nearest point.
 *
 * @param point      shape frame
 * @param curvature  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a shape of another kind, or the middle of an ellipsoid or superquadric;
 *         ABUT_ERROR_NOT_FINITE; ABUT_ERROR_DEGENERATE where an implicit surface has no normal or a parametric surface has no tangents, as at a pole
 */
ABUT_API abut_status abut_shape_curvature_at(const abut_shape *shape, abut_vec3 point, abut_curvature *curvature);

#ifdef __cplusplus
}
#endif
