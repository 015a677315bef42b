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
} abut_surface;

/** A surface with the defaults named above: those of abut_body_def_default(). */
ABUT_API abut_surface abut_surface_default(void);

#ifdef __cplusplus
}
#endif
