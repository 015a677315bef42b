#pragma once

#include <abut/base.h>
#include <abut/collide.h>
#include <abut/contact.h>
#include <abut/math.h>
#include <abut/smooth.h>

/**
 * @file rates.h
 * Time derivatives of a contact while its bodies move: first and second derivatives of the gap, first derivatives of the points and the normal.
 * docs/methods/smooth.md explains them.
 *
 * The second derivative of the gap decides whether two touching bodies separate. It is linear in the forces. It depends on the curvatures,
 * because a contact on round surfaces moves over both surfaces while the bodies turn (D. Baraff, "Curved surfaces and coherence for
 * non-penetrating rigid body simulation", 1990, sections 5 and 6). The paper gives a system of equations. Here the system is solved in closed
 * form, and the solution holds at any gap.
 *
 * Conventions: world frame; the normal points from B into A; the gap is signed, as in contact.h. Time is in the caller's unit.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Motion and acceleration of a body. World frame. Zero-initialised: at rest. */
typedef struct abut_kinematics {
    abut_vec3 centre;         /**< reference point of the body, usually its centre of mass [length] */
    abut_motion velocity;     /**< velocity of the reference point [length/time] and angular velocity [rad/time] */
    abut_motion acceleration; /**< acceleration of the reference point [length/time^2] and angular acceleration [rad/time^2] */
} abut_kinematics;

/** Bits of abut_rates.flags. */
typedef enum abut_rates_flag {
    /** The surfaces conform to each other along a direction (face on face; an edge or a cylinder's side on a face). The contact is then not a
        single pair of points. The derivatives are for a point that is fixed on A along that direction. Represent such a contact by several
        contacts, one at each of its ends. */
    ABUT_RATES_CONFORMING = 1,
    /** Touching features without a unique normal: vertex on vertex, vertex on edge, or edge along edge. The derivatives are for a normal that is
        fixed in B. */
    ABUT_RATES_NORMAL_HELD = 2,
    /** The points are not a local minimum of the distance, because the surfaces curve into each other. The derivatives are those of the
        stationary pair. */
    ABUT_RATES_NOT_LEAST = 4
} abut_rates_flag;

/** Time derivatives of a contact. World frame. */
typedef struct abut_rates {
    /** First derivative of the gap; positive when the bodies separate [length/time] */
    double gap_rate;
    /** Second derivative of the gap: bias + normal . (p_A - p_B), where p = linear acceleration + angular acceleration x arm is the part of the
        acceleration of the body's material point at on_a that forces change [length/time^2] */
    double gap_acceleration;
    /** The part of gap_acceleration that does not depend on forces. It follows from velocities and curvatures [length/time^2] */
    double bias;
    /** Derivative of the normal [1/time] */
    abut_vec3 normal_rate;
    /** Velocity of the contact point on A, which moves over A's surface [length/time] */
    abut_vec3 on_a_rate;
    /** Velocity of the contact point on B [length/time] */
    abut_vec3 on_b_rate;
    /** on_a - motion_a->centre: lever arm of the contact force on A [length] */
    abut_vec3 arm_a;
    /** on_a - motion_b->centre: lever arm of the contact force on B. It also uses on_a, because the force acts along the line through both points
        [length] */
    abut_vec3 arm_b;
    /** Bits of abut_rates_flag */
    uint32_t flags;
} abut_rates;

/**
 * Curvatures of both surfaces at a contact of two shapes. The features of the contact select the surfaces.
 *
 * @param contact    contact of these shapes at these poses, from abut_collide() or abut_distance(); never NULL
 * @param surface_a  set to the curvature of A at on_a, world frame; written on ABUT_OK; never NULL
 * @param surface_b  set to the curvature of B at on_b, world frame; written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a pose that is not a rotation, a normal that is not unit (to 1e-6), or a feature that
 *         the shape does not have; ABUT_ERROR_NOT_FINITE; for a smooth shape also the statuses of abut_shape_curvature()
 */
ABUT_API abut_status abut_contact_surfaces(const abut_contact *contact, const abut_pair *pair, abut_curvature *surface_a, abut_curvature *surface_b);

/**
 * Time derivatives of a contact at any gap.
 *
 * The two curvatures define which features touch: infinite along one direction is an edge, infinite along both directions a vertex, zero along
 * both directions a face. All other surfaces are smooth. abut_contact_surfaces() provides the curvatures.
 *
 * @param contact    only its normal, gap and points are read; never NULL
 * @param surface_a  curvature of A at on_a, world frame; only `direction` and `curvature` are read; never NULL
 * @param surface_b  the same of B at on_b
 * @param motion_a   motion and acceleration of A; NULL: A is at rest
 * @param motion_b   the same of B; NULL: B is at rest
 * @param rates      written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for NULL, a normal that is not unit, directions that are not unit vectors perpendicular to the
 *         normal (to 1e-6), or a curvature of minus infinity; ABUT_ERROR_DEGENERATE for a depth equal to B's radius of curvature or more;
 *         ABUT_ERROR_NOT_FINITE
 */
ABUT_API abut_status abut_contact_rates(const abut_contact *contact, const abut_curvature *surface_a, const abut_curvature *surface_b,
                                        const abut_kinematics *motion_a, const abut_kinematics *motion_b, abut_rates *rates);

/**
 * Derivatives of a contact by the motions of its bodies. World frame. Element k is the derivative by coordinate k of the motions: 0 to 2 are the linear
 * velocity of A's centre, 3 to 5 the angular velocity of A, 6 to 8 and 9 to 11 the same of B. A rate of abut_contact_rates() is the sum of these elements times
 * the velocities.
 */
typedef struct abut_contact_derivatives {
    double gap[12];       /**< of the gap [1, and length/rad for angular coordinates] */
    abut_vec3 normal[12]; /**< of the normal [1/length, and 1/rad] */
    abut_vec3 on_a[12];   /**< of the contact point on A [1, and length/rad] */
    abut_vec3 on_b[12];   /**< of the contact point on B [1, and length/rad] */
    /** Bits of abut_rates_flag. Where one is set, the contact has no derivative in the strict sense: these are the derivatives of the choice that the flag
        names */
    uint32_t flags;
} abut_contact_derivatives;

/**
 * Derivatives of a contact by small motions of both bodies, for optimisation and linearised control. They hold as long as the same features touch: where a
 * contact changes from one feature to another, they are those of the side that the features of the contact name.
 *
 * @param contact, surface_a, surface_b  as for abut_contact_rates()
 * @param centre_a     point of A about which its angular coordinates turn it, world frame [length]
 * @param centre_b     the same of B
 * @param derivatives  written on ABUT_OK; never NULL
 * @return as abut_contact_rates()
 */
ABUT_API abut_status abut_contact_differentiate(const abut_contact *contact, const abut_curvature *surface_a, const abut_curvature *surface_b,
                                                abut_vec3 centre_a, abut_vec3 centre_b, abut_contact_derivatives *derivatives);

#ifdef __cplusplus
}
#endif
