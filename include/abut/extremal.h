#pragma once

#include <abut/base.h>
#include <abut/collide.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/rates.h>
#include <abut/shape.h>

/**
 * @file extremal.h
 * Extremal pairs: two points, one on either surface, that face each other along a common normal, and how they move (Baraff, "Curved
 * surfaces and coherence for non-penetrating rigid body simulation", sections 3 and 4). abut_collide() and abut_distance() find them by
 * themselves; here they can be found from a start, on surfaces that are not convex, too, and predicted. World frame. See docs/methods/smooth.md.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** How a pair is looked for. */
typedef enum abut_extremal_method {
    /** Newton's method for the normal alone, two unknowns: convex shapes, of which one is smooth. Finds the distance of bodies apart, and
        of bodies in each other the least depth near the start. */
    ABUT_EXTREMAL_NORMAL,
    /** Newton's method on the paper's equations, with halved steps: unknown are both points and two multipliers, which makes 8 for two
        implicit surfaces, 6 for two parametric ones and 7 for one of each. Spheres, ellipsoids, implicit and parametric shapes, convex or
        not. Needs a good start. */
    ABUT_EXTREMAL_SYSTEM
} abut_extremal_method;

/** Two points that face each other. */
typedef struct abut_extremal {
    abut_vec3 on_a;         /**< on A */
    abut_vec3 on_b;         /**< on B */
    abut_vec3 normal;       /**< unit, from B into A; of B outward at on_b, of A inward at on_a */
    double gap;             /**< dot(normal, on_a - on_b): below 0 where the bodies are in each other [length] */
    abut_feature feature_a; /**< of A */
    abut_feature feature_b; /**< of B */
    int32_t iterations;     /**< Newton steps that it took */
} abut_extremal;

/**
 * The extremal pair near a start.
 *
 * Without a start: of the first method from the line of the bodies' middles; of the second from where that line leaves implicit surfaces
 * and from the closest of some hundred points of parametric ones. A start may be the pair of the step before, as it was or predicted: read
 * of it are the normal (first method) or the points (second).
 *
 * @param start     NULL for none; may be `extremal`
 * @param extremal  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE, also of a start; ABUT_ERROR_UNSUPPORTED_PAIR for shapes that the
 *         method does not know; ABUT_ERROR_DEGENERATE where the equations are singular: surfaces that touch along a line, a ball in a cup
 *         of its size; ABUT_ERROR_NOT_EXTREMAL for a root whose normals do not face each other; ABUT_ERROR_ITERATION_LIMIT when the steps
 *         lead nowhere
 */
ABUT_API abut_status abut_extremal_find(const abut_pair *pair, abut_extremal_method method, const abut_extremal *start, abut_extremal *extremal);

/**
 * Derivatives of an extremal pair of smooth shapes, or of a smooth shape with a face, an edge or a vertex, by the curvatures of both surfaces
 * there. The second derivative of the gap is that of bodies without acceleration.
 *
 * @param motion_a, motion_b  of the frames of the two shapes, about their origins
 * @param extremal            of these shapes at these poses
 * @param rates               written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE; ABUT_ERROR_UNSUPPORTED_PAIR for planes, compounds and meshes;
 *         ABUT_ERROR_DEGENERATE where the surfaces fit into each other: the pair is then not the only one near by
 */
ABUT_API abut_status abut_extremal_rates(const abut_pair *pair, abut_motion motion_a, abut_motion motion_b, const abut_extremal *extremal,
                                        abut_rates *rates);

/** Where the pair will be after a time, to first order: a start for the next step. */
ABUT_API abut_extremal abut_extremal_predict(const abut_extremal *extremal, const abut_rates *rates, double time);

#ifdef __cplusplus
}
#endif
