#pragma once

#include <abut/base.h>
#include <abut/collide.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/rates.h>
#include <abut/shape.h>

/**
 * @file extremal.h
 * Extremal pairs: two points, one on each surface, that face each other along a common normal, and their motion (D. Baraff, "Curved surfaces
 * and coherence for non-penetrating rigid body simulation", 1990, sections 3 and 4). abut_collide() and abut_distance() find these pairs
 * themselves. The functions here find a pair from a given start, also on surfaces that are not convex, and predict it. docs/methods/smooth.md
 * explains them.
 *
 * Conventions: world frame; the normal is unit and points from B into A; the gap is signed, as in contact.h.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Method that searches for an extremal pair. */
typedef enum abut_extremal_method {
    /** Newton's method for the normal alone, with two unknowns. For two convex shapes of which at least one is smooth. Finds the distance of
        bodies apart; for bodies that overlap, the local least depth near the start. */
    ABUT_EXTREMAL_NORMAL,
    /** Newton's method with step halving for the equations of the paper. The unknowns are both points and two multipliers: 8 for two implicit
        surfaces, 6 for two parametric surfaces, 7 for one of each. For spheres, ellipsoids, implicit and parametric shapes, convex or not.
        Needs a good start. */
    ABUT_EXTREMAL_SYSTEM
} abut_extremal_method;

/** An extremal pair: two points that face each other. */
typedef struct abut_extremal {
    abut_vec3 on_a;         /**< point on A's surface */
    abut_vec3 on_b;         /**< point on B's surface */
    abut_vec3 normal;       /**< unit, from B into A: the outward normal of B at on_b, and the inward normal of A at on_a */
    double gap;             /**< dot(normal, on_a - on_b); negative when the bodies overlap [length] */
    abut_feature feature_a; /**< feature of A at on_a */
    abut_feature feature_b; /**< feature of B at on_b */
    int32_t iterations;     /**< number of Newton steps */
} abut_extremal;

/**
 * Find the extremal pair near a start.
 *
 * Without a start, ABUT_EXTREMAL_NORMAL begins with the line through the middles of the bodies. ABUT_EXTREMAL_SYSTEM begins at the points where
 * that line leaves implicit surfaces, and at the closest of some hundred points of parametric surfaces. A start may be the pair of the previous
 * step, unchanged or predicted by abut_extremal_predict(). Only its normal (ABUT_EXTREMAL_NORMAL) or its points (ABUT_EXTREMAL_SYSTEM) are used.
 *
 * @param start     NULL for none; may be the same object as `extremal`
 * @param extremal  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, an unknown method, or a pose that is not a rotation; ABUT_ERROR_NOT_FINITE, also for a
 *         start that is not finite; ABUT_ERROR_UNSUPPORTED_PAIR for shapes that the method does not support; ABUT_ERROR_DEGENERATE when the
 *         equations are singular, for example surfaces that touch along a line, or a ball in a cup of its size; ABUT_ERROR_NOT_EXTREMAL for a
 *         root whose normals do not face each other; ABUT_ERROR_ITERATION_LIMIT when the steps do not converge
 */
ABUT_API abut_status abut_extremal_find(const abut_pair *pair, abut_extremal_method method, const abut_extremal *start, abut_extremal *extremal);

/**
 * Time derivatives of an extremal pair of two smooth shapes, or of a smooth shape and a face, edge or vertex. Computed from the curvatures of both
 * surfaces at the pair. The second derivative of the gap is for bodies without acceleration.
 *
 * @param motion_a, motion_b  motions of the frames of the two shapes; the reference points are the origins of the frames
 * @param extremal            extremal pair of these shapes at these poses; never NULL
 * @param rates               written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a pose that is not a rotation, or a feature that the shape does not have;
 *         ABUT_ERROR_NOT_FINITE; ABUT_ERROR_UNSUPPORTED_PAIR for planes, compounds and meshes; ABUT_ERROR_DEGENERATE when the surfaces conform
 *         to each other, so that other pairs exist nearby, or when the overlap is as deep as B's radius of curvature
 */
ABUT_API abut_status abut_extremal_rates(const abut_pair *pair, abut_motion motion_a, abut_motion motion_b, const abut_extremal *extremal,
                                        abut_rates *rates);

/**
 * The pair after a time, predicted to first order from its rates. Use it as a start for the next step.
 * @param extremal  never NULL
 * @param rates     from abut_extremal_rates(); never NULL
 * @param time      may be negative
 */
ABUT_API abut_extremal abut_extremal_predict(const abut_extremal *extremal, const abut_rates *rates, double time);

#ifdef __cplusplus
}
#endif
