#pragma once

#include <abut/base.h>
#include <abut/collide.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/smooth.h>

/**
 * @file rates.h
 * How a contact changes while its bodies move: first and second derivatives of the gap, first derivatives of its points and its normal. See docs/methods/smooth.md.
 *
 * The second derivative of the gap is what tells whether two touching bodies part, and it is linear in the forces. Curvature takes part in it: a contact on
 * round surfaces moves over both of them while the bodies turn (D. Baraff, "Curved surfaces and coherence for non-penetrating rigid body simulation",
 * 1990, where it is a system of equations; here it is solved, and it holds at any gap).
 *
 * World frame; time in the caller's unit.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** How a body moves and accelerates. Zero-initialised: it rests. */
typedef struct abut_kinematics {
    abut_vec3 centre;         /**< reference point of the body, usually its centre of mass */
    abut_motion velocity;     /**< of the reference point [length/time], and angular [rad/time] */
    abut_motion acceleration; /**< of the reference point [length/time^2], and angular [rad/time^2] */
} abut_kinematics;

/** Bits of abut_rates.flags. */
typedef enum abut_rates_flag {
    /** The surfaces fit each other along a direction (face on face, an edge or a cylinder's side on a face): no one pair of points is the contact, and it was
        taken to stay where it is on A. Such a contact is given by several, one for each of its ends. */
    ABUT_RATES_CONFORMING = 1,
    /** Vertex on vertex, vertex on edge, or edge along edge, touching: their normal is any of many. The one given was taken to be fixed in B. */
    ABUT_RATES_NORMAL_HELD = 2,
    /** The surfaces curve into each other: the points are no local minimum of the distance. The derivatives are those of the stationary pair. */
    ABUT_RATES_NOT_LEAST = 4
} abut_rates_flag;

/** Derivatives with respect to time. */
typedef struct abut_rates {
    double gap_rate; /**< positive when the bodies part [length/time] */
    double
        gap_acceleration; /**< bias + normal . (difference of the accelerations of the two bodies' material points at on_a, of the parts that forces
                                  change: acceleration + angular_acceleration x arm) [length/time^2] */
    double bias;          /**< the part of it that no force changes: made by velocities and curvatures */
    abut_vec3 normal_rate; /**< [1/time] */
    abut_vec3 on_a_rate;   /**< of the contact point on A, which moves over A's surface [length/time] */
    abut_vec3 on_b_rate;   /**< of the contact point on B */
    abut_vec3 arm_a;       /**< on_a - motion_a->centre: the lever of the contact's force on A */
    abut_vec3 arm_b;       /**< on_a - motion_b->centre: on_a here, too, for the force acts along the one line through both points */
    uint32_t flags;        /**< abut_rates_flag */
} abut_rates;

/**
 * How curved both surfaces are at a contact of two shapes: what touches there is told by the contact's features.
 *
 * @param contact    of these shapes at these poses, as abut_collide() or abut_distance() gave it
 * @param surface_a  receives A's at on_a, world frame
 * @param surface_b  receives B's at on_b; both are written on ABUT_OK only
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a bad pose or a feature that the shape does not have; ABUT_ERROR_NOT_FINITE; what
 *         abut_shape_curvature() answers for a smooth shape
 */
ABUT_API abut_status abut_contact_surfaces(const abut_contact *contact, const abut_pair *pair, abut_curvature *surface_a, abut_curvature *surface_b);

/**
 * Derivatives of a contact at any gap.
 *
 * Which features touch is told by the two surfaces: an infinite curvature along one direction is an edge, along both a vertex, no curvature along both a
 * face; whatever else is smooth. abut_contact_surfaces() finds them.
 *
 * @param contact    its normal, gap and points
 * @param surface_a  curvature of A at on_a, world frame; only direction and curvature are read
 * @param surface_b  of B at on_b
 * @param motion_a   NULL: A rests
 * @param motion_b   NULL: B rests
 * @param rates      written on ABUT_OK
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, directions that are no unit vectors square to the normal (up to 1e-6), a curvature below 0 that is
 *         infinite; ABUT_ERROR_DEGENERATE for a penetration as deep as B's radius of curvature; ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_contact_rates(const abut_contact *contact, const abut_curvature *surface_a, const abut_curvature *surface_b,
                                        const abut_kinematics *motion_a, const abut_kinematics *motion_b, abut_rates *rates);

#ifdef __cplusplus
}
#endif
