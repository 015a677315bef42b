#pragma once

#include <abut/base.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/shape.h>

/**
 * @file smooth.h
 * Curved shapes, and how curved the surface of any shape is. See docs/methods/smooth.md.
 *
 * What shape.h says of shapes holds here: frames, references, lengths, statuses.
 */

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The ellipsoid (x / half.x)^2 + (y / half.y)^2 + (z / half.z)^2 <= 1.
 * @param half  semi-axes, each > 0
 * @return ABUT_OK; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_INVALID_ARGUMENT for a semi-axis <= 0, one that is the rounding of another, or shape
 *         NULL; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_ellipsoid(abut_vec3 half, abut_shape **shape);

/** The least exponent of a superquadric: next to its flat sides normals are so close that numbers can hardly tell them apart. */
#define ABUT_SUPERQUADRIC_LEAST_EXPONENT 0.2
/** The largest. */
#define ABUT_SUPERQUADRIC_LARGEST_EXPONENT 1.8

/**
 * The superellipsoid (|x / half.x|^(2/e2) + |y / half.y|^(2/e2))^(e2/e1) + |z / half.z|^(2/e1) <= 1 (Barr, "Superquadrics and
 * angle-preserving transformations"), strictly convex for exponents between 0 and 2. e1 shapes the meridians, e2 the parallels: 1 is round,
 * towards 0 square, towards 2 a double cone. Where an exponent is below 1 the surface is flat at the axes, where it is above 1 it has no
 * radius there: see abut_shape_curvature().
 *
 * @param half  semi-axes, each > 0
 * @param e1    of the meridians, ABUT_SUPERQUADRIC_LEAST_EXPONENT to ABUT_SUPERQUADRIC_LARGEST_EXPONENT
 * @param e2    of the parallels, in the same range
 * @return as abut_shape_create_ellipsoid()
 */
ABUT_API abut_status abut_shape_create_superquadric(abut_vec3 half, double e1, double e2, abut_shape **shape);

/** Semi-axes of an ellipsoid or superquadric [length]; zero for every other kind. */
ABUT_API abut_vec3 abut_shape_semi_axes(const abut_shape *shape);
/** Exponents of a superquadric; 0 for every other kind. Either pointer may be NULL. */
ABUT_API void abut_shape_exponents(const abut_shape *shape, double *e1, double *e2);

/** An implicit function at a point. */
typedef struct abut_implicit_point {
    double value;       /**< F: below 0 inside, above 0 outside */
    abut_vec3 gradient; /**< of F; not zero on the surface */
    abut_mat3 hessian;  /**< second derivatives of F, symmetric */
} abut_implicit_point;

/** Writes what F is at a point (shape frame). Called from any thread that asks about the shape, so it must only read its context. */
typedef void abut_implicit_function(void *context, abut_vec3 point, abut_implicit_point *at);

/** The body F(x) <= 0. Zero-initialise. */
typedef struct abut_implicit_def {
    abut_implicit_function *function; /**< never NULL */
    void *context;                    /**< handed to the function; the caller's, and must live as long as the shape */
    abut_aabb bounds;                 /**< a box that holds the body */
    abut_vec3 inside;                 /**< a point with F < 0 */
    bool convex;                      /**< the body is convex, and its surface is curved everywhere; tested at some hundred points */
} abut_implicit_def;

/**
 * A body by an implicit function. Convex ones meet every other shape: see docs/methods/smooth.md. Others, a torus for example, have a mass, bounds
 * and curvature at a point, which is what forces at known contacts need; every question about another shape gets
 * ABUT_ERROR_UNSUPPORTED_PAIR, a ray, a support point and abut_shape_curvature() ABUT_ERROR_NOT_CONVEX, and they cannot be parts of
 * compounds. Mass properties are found by quadrature: of convex bodies about as exactly as numbers are, of others to 1e-4 or so.
 *
 * @param def  read during the call only, but for function and context
 * @return ABUT_OK; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_INVALID_ARGUMENT for NULL, an empty box, a point that is not inside, a box that cuts
 *         the body, or a function that has no finite derivatives on the surface; ABUT_ERROR_NOT_CONVEX; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_shape_create_implicit(const abut_implicit_def *def, abut_shape **shape);

/** A parametric surface at a pair of parameters, shape frame. */
typedef struct abut_parametric_point {
    abut_vec3 s;   /**< the point */
    abut_vec3 su;  /**< its derivative by u */
    abut_vec3 sv;  /**< by v */
    abut_vec3 suu; /**< second derivative by u */
    abut_vec3 suv; /**< by u and v */
    abut_vec3 svv; /**< by v */
} abut_parametric_point;

/** Writes what S is at (u, v). As abut_implicit_function. May be called a little outside of the ranges. */
typedef void abut_parametric_function(void *context, double u, double v, abut_parametric_point *at);

/** A closed surface S(u, v). Zero-initialise. */
typedef struct abut_parametric_def {
    abut_parametric_function *function; /**< never NULL */
    void *context;                      /**< handed to the function; the caller's, and must live as long as the shape */
    double u_range[2];                  /**< from, to; the surface is covered once and has no border */
    double v_range[2];                  /**< the same of v */
    bool u_periodic;                    /**< the surface goes on where the range of u ends and begins */
    bool v_periodic;                    /**< the same of v */
    bool convex;                        /**< as of abut_implicit_def */
} abut_parametric_def;

/**
 * A body by its parametric surface. Which side is outside follows from the volume. A whole side of the ranges may be one point, a pole. As
 * abut_shape_create_implicit() otherwise, with the mass of every body about as exact as numbers are.
 *
 * @param def  read during the call only, but for function and context
 * @return as abut_shape_create_implicit(); ABUT_ERROR_INVALID_ARGUMENT also for empty ranges, tangents that span no plane, or a surface without a
 *         volume
 */
ABUT_API abut_status abut_shape_create_parametric(const abut_parametric_def *def, abut_shape **shape);

/** Which derivative a report is about. */
typedef enum abut_derivative {
    ABUT_DERIVATIVE_NONE = 0, /**< none is wrong */
    ABUT_DERIVATIVE_GRADIENT, /**< of an implicit function: disagrees with its values */
    ABUT_DERIVATIVE_HESSIAN,  /**< of an implicit function: disagrees with its gradient */
    ABUT_DERIVATIVE_SU,       /**< of a parametric surface: disagrees with its points */
    ABUT_DERIVATIVE_SV,       /**< the same */
    ABUT_DERIVATIVE_SUU,      /**< of a parametric surface: disagrees with its first derivatives */
    ABUT_DERIVATIVE_SUV,      /**< the same */
    ABUT_DERIVATIVE_SVV       /**< the same */
} abut_derivative;

/** What a check of derivatives found. */
typedef struct abut_derivative_report {
    abut_derivative wrong; /**< the one that is wrong first: second derivatives are compared with the first ones, which must be right */
    double error;          /**< largest difference, relative to the largest derivatives at hand; what differences cannot tell is none */
    abut_vec3 point;       /**< where, shape frame */
    double u;              /**< of a parametric surface */
    double v;              /**< the same */
} abut_derivative_report;

/**
 * Compares the gradient and the Hessian with central differences at 64 points within the bounds.
 * @param report  written on ABUT_OK and ABUT_ERROR_DERIVATIVE; may be NULL
 * @return ABUT_OK; ABUT_ERROR_DERIVATIVE when one is wrong by more than 1e-5; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_implicit_check(const abut_implicit_def *def, abut_derivative_report *report);

/** The same of a parametric surface, at 64 points of its ranges. */
ABUT_API abut_status abut_parametric_check(const abut_parametric_def *def, abut_derivative_report *report);

/** How curved a surface is at a point. Shape frame. Where it bulges outward curvatures are positive, on a saddle one is below 0. */
typedef struct abut_curvature {
    abut_feature feature;   /**< what of the surface: a face is flat, an edge is sharp across and flat along, a vertex is sharp */
    abut_vec3 point;        /**< on the surface */
    abut_vec3 normal;       /**< unit, outward */
    abut_vec3 direction[2]; /**< principal directions: unit, right-handed with the normal (direction[0], direction[1], normal) */
    double curvature[2];    /**< along these, ascending; 0 where flat, INFINITY where sharp [1 / length] */
    double radius[2];       /**< 1 / curvature: INFINITY where flat, 0 where sharp [length] */
} abut_curvature;

/**
 * The curvature of a shape where its outward normal is `direction`: that of its support point. A direction within 1e-9 [rad] of a face's
 * normal is the face's, one within 1e-9 of the normals of an edge the edge's; of a capsule that far from its side the side's. A compound
 * answers for the part that reaches farthest.
 *
 * @param direction  of any length but zero
 * @param curvature  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a zero direction or a mesh; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_UNBOUNDED for a
 *         plane, unless the direction is its normal; ABUT_ERROR_NOT_CONVEX
 */
ABUT_API abut_status abut_shape_curvature(const abut_shape *shape, abut_vec3 direction, abut_curvature *curvature);

/**
 * The curvature of a smooth shape (ellipsoid, superquadric, implicit or parametric, convex or not) at a point of its surface, or near by:
 * the point is first brought onto it, to the nearest one or about so.
 *
 * @param curvature  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL or a shape of another kind; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_DEGENERATE where the
 *         surface has no normal or no tangents: the middle of an ellipsoid, a pole
 */
ABUT_API abut_status abut_shape_curvature_at(const abut_shape *shape, abut_vec3 point, abut_curvature *curvature);

#ifdef __cplusplus
}
#endif
