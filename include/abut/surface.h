#pragma once

#include <abut/base.h>

/**
 * @file surface.h
 * What the surfaces of two bodies do to each other at a contact: friction, restitution, and what stops a body that rolls or spins.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A surface of a body, or what two of them have in common at a contact. Start from abut_surface_default(). */
typedef struct abut_surface {
    double friction;    /**< Coulomb's coefficient of friction, >= 0; default 0.5; a pair uses the geometric mean */
    double restitution; /**< coefficient of restitution, 0 to 1; default 0; a pair uses the larger one */
    double rolling_friction;  /**< the moment against rolling is at most this length times the load of the contact, >= 0; default 0; a pair uses the larger one
                                   [length] */
    double spinning_friction; /**< the same for spin about the contact's normal [length] */
    int32_t substance;        /**< what it is made of, for abut_substance_pair; >= 0; default 0: nothing that pairs name. Unused for two surfaces that meet */
} abut_surface;

/** A surface with the defaults named above: those of abut_body_def_default(). */
ABUT_API abut_surface abut_surface_default(void);

/**
 * What two substances do to each other: an entry of abut_world_def.pairs. Coefficients of friction and restitution belong to pairs of materials rather than to
 * one of them. A value that is given replaces what follows from the values of both bodies. Start from abut_substance_pair_default().
 */
typedef struct abut_substance_pair {
    int32_t a;                  /**< a substance, >= 1: abut_body_def.substance, abut_surface.substance */
    int32_t b;                  /**< the other one, >= 1; may be the same */
    double friction;            /**< Coulomb's coefficient of friction, >= 0; -1 (default): not given */
    double restitution;         /**< coefficient of restitution, 0 to 1; -1 (default): not given */
    double rolling_friction;    /**< as abut_surface.rolling_friction; -1 (default): not given [length] */
    double spinning_friction;   /**< the same for spin about the contact's normal; -1 (default): not given [length] */
    double rolling_resistance;  /**< for the dem stepper: abut_pressure_law.rolling_resistance, >= 0; -1 (default): not given */
    double twisting_resistance; /**< the same for spin about the contact's normal; -1 (default): not given */
} abut_substance_pair;

/** A pair of the substances 0, which are to be set, that gives nothing. */
ABUT_API abut_substance_pair abut_substance_pair_default(void);

#ifdef __cplusplus
}
#endif
