#pragma once

#include <abut/base.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/shape.h>

/**
 * @file smooth.h
 * Curved shapes, and how curved the surface of any shape is. See docs/smooth.md.
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
ABUT_API abut_status abut_create_ellipsoid(abut_vec3 half, abut_shape **shape);

/** The least exponent of a superquadric: next to its flat sides normals are so close that numbers can hardly tell them apart. */
#define ABUT_SUPERQUADRIC_LEAST_EXPONENT 0.2
/** The largest. */
#define ABUT_SUPERQUADRIC_LARGEST_EXPONENT 1.8

/**
 * The superellipsoid (|x / half.x|^(2/e2) + |y / half.y|^(2/e2))^(e2/e1) + |z / half.z|^(2/e1) <= 1 (Barr, "Superquadrics and angle-preserving
 * transformations"), strictly convex for exponents between 0 and 2. e1 shapes the meridians, e2 the parallels: 1 is round, towards 0 square,
 * towards 2 a double cone. Where an exponent is below 1 the surface is flat at the axes, where it is above 1 it has no radius there: see
 * abut_shape_curvature().
 *
 * @param half  semi-axes, each > 0
 * @param e1    of the meridians, ABUT_SUPERQUADRIC_LEAST_EXPONENT to ABUT_SUPERQUADRIC_LARGEST_EXPONENT
 * @param e2    of the parallels, in the same range
 * @return as abut_create_ellipsoid()
 */
ABUT_API abut_status abut_create_superquadric(abut_vec3 half, double e1, double e2, abut_shape **shape);

/** Semi-axes of an ellipsoid or superquadric [length]; zero for every other kind. */
ABUT_API abut_vec3 abut_shape_semi_axes(const abut_shape *shape);
/** Exponents of a superquadric; 0 for every other kind. Either pointer may be NULL. */
ABUT_API void abut_shape_exponents(const abut_shape *shape, double *e1, double *e2);

/** How curved a surface is at a point. Shape frame. Curvatures of convex surfaces are positive. */
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
 *         plane, unless the direction is its normal
 */
ABUT_API abut_status abut_shape_curvature(const abut_shape *shape, abut_vec3 direction, abut_curvature *curvature);

#ifdef __cplusplus
}
#endif
