#pragma once

#include <abut/base.h>
#include <abut/math.h>
#include <abut/world.h>

/**
 * @file bond.h
 * Parallel bonds: elastic cement between the bodies of a world of the dem stepper, which breaks when its stress exceeds its strength.
 *
 * A bond is a round bar of cement between two bodies, as in the bonded-particle model of D. O. Potyondy, P. A. Cundall, "A bonded-particle model for rock",
 * 2004. It resists being stretched, sheared, bent and twisted, beside what the bodies do where they touch. With the area A = pi r^2, the moments I = pi r^4 / 4
 * and J = pi r^4 / 2, and the stiffness per area k = E / L, the stiffnesses are k A along the axis, k A / ratio across it, k I against bending and
 * k J / ratio against twisting. The paper adds up small displacements; here the forces follow from the present poses and those at which the bond was made, so
 * there is no drift and a bond at rest is exact. For small strains both are the same.
 *
 * The largest tension is F / A + M r / I, with the pulling force F and the bending moment M, and the largest shear is V / A + T r / J, with the force V
 * across the axis and the twisting moment T. A bond breaks when one of them reaches its strength, and then holds nothing any more.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Identifies a bond of a world, in the way of abut_body_id. */
typedef struct abut_bond_id {
    uint32_t index;      /**< 0 names no bond */
    uint32_t generation; /**< number of earlier bonds with this index */
} abut_bond_id;

/** Definition of a bond. Start from abut_bond_def_default(). */
typedef struct abut_bond_def {
    abut_body_id a;          /**< first body; at least one of the two must be dynamic */
    abut_body_id b;          /**< second body, another one */
    abut_vec3 point;         /**< middle of the bond, world frame [length] */
    abut_vec3 axis;          /**< direction of the bond, world frame; any length but 0; default z */
    double length;           /**< L, of the bar of cement; > 0; for balls the distance of their centres [length] */
    double radius;           /**< r, of the bar; > 0 [length] */
    double young;            /**< Young's modulus E of the cement; > 0 [force/length^2] */
    double stiffness_ratio;  /**< stiffness along the axis over that across it; > 0; default 2.5 */
    double tensile_strength; /**< largest tension; > 0; may be infinite; default infinite [force/length^2] */
    double shear_strength;   /**< largest shear; > 0; may be infinite; default infinite [force/length^2] */
    double damping_ratio;    /**< of dampers beside the four stiffnesses, for the effective mass and moment of inertia of both bodies; >= 0; default 0 */
} abut_bond_def;

/** A definition with the defaults named above, without bodies and sizes. */
ABUT_API abut_bond_def abut_bond_def_default(void);

/**
 * Add a bond, without stress at the present poses. abut_world_remove_body() removes the bonds of a body.
 * @param def  never NULL
 * @param id   set to the id of the bond on ABUT_OK; may be NULL
 * @return ABUT_OK; ABUT_ERROR_STALE_ID for a body; ABUT_ERROR_INVALID_ARGUMENT for one body twice, no dynamic body or numbers out of range;
 *         ABUT_ERROR_NOT_FINITE, also for a stiffness that overflows; ABUT_ERROR_UNSUPPORTED in worlds without the dem stepper; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_world_add_bond(abut_world *world, const abut_bond_def *def, abut_bond_id *id);

/**
 * Add bonds between all balls that are nearer to each other than a gap and have no unbroken bond yet. Each bond has its middle midway between the surfaces,
 * its axis along the line of centres, and their distance as length. New bonds are in the order of the slots of their bodies.
 * @param bodies  [count] ids of the bodies between which bonds are made; bodies that are not balls, and removed ones, are left out; NULL for all balls
 * @param count   >= 0; ignored for NULL
 * @param gap     largest gap of two balls [length]
 * @param def     what all bonds have: young, stiffness_ratio, strengths and damping_ratio. `radius` is a share of the radius of the smaller ball; the bodies,
 *                point, axis and length are ignored; never NULL
 * @param made    set to the number of new bonds on ABUT_OK; may be NULL
 * @return as abut_world_add_bond(); the world is then unchanged. A periodic space that is too short for the balls is invalid
 */
ABUT_API abut_status abut_world_bond_near(abut_world *world, const abut_body_id *bodies, int32_t count, double gap, const abut_bond_def *def, int32_t *made);

/**
 * Remove a bond.
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_remove_bond(abut_world *world, abut_bond_id id);

/** State of a bond at the end of the last step; zero before the first one. World frame. */
typedef struct abut_bond_state {
    abut_body_id a;   /**< first body */
    abut_body_id b;   /**< second body */
    bool broken;      /**< it broke and holds nothing any more; the other numbers are those at which it broke */
    abut_vec3 force;  /**< on body a at the middle of the bond [force] */
    abut_vec3 moment; /**< on body a about the middle of the bond [force length] */
    double tension;   /**< largest tension, negative when the bond is pressed [force/length^2] */
    double shear;     /**< largest shear, >= 0 [force/length^2] */
} abut_bond_state;

/**
 * State of a bond.
 * @param state  written on ABUT_OK; never NULL
 * @return ABUT_OK; ABUT_ERROR_STALE_ID; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_bond_state(const abut_world *world, abut_bond_id id, abut_bond_state *state);

/** Write the ids of the bonds of a world, broken ones too, in the order of their indices.
 * @param ids       [capacity]; may be NULL when capacity is 0
 * @param capacity  >= 0
 * @param count     set to the number of bonds, also when the capacity is too small; never NULL
 * @return ABUT_OK; ABUT_ERROR_CAPACITY; ABUT_ERROR_INVALID_ARGUMENT
 */
ABUT_API abut_status abut_world_bond_ids(const abut_world *world, abut_bond_id *ids, int32_t capacity, int32_t *count);

#ifdef __cplusplus
}
#endif
