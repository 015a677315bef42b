#pragma once

#include "solve/contact/contact.h"

/*
 * Rolling and spinning friction: moments at a patch against the rotation of A relative to B, about axes in the plane of the patch (rolling) and about its
 * normal (spinning). A moment is at most a length, the coefficient, times the load of the patch. Below that it stops the rotation, like Coulomb friction.
 *
 * Most worlds have none. Their sets have no records.
 */

/* One for each patch of a set; used where the patch says so. Moments and spins are in the patch's frame: about tangent 0, tangent 1 and the normal. */
typedef struct solver_roll {
    double rolling, spinning; /* coefficients [length] */
    abut_vec3 impulse;        /* in the present substep, on A */
    abut_vec3 held;           /* an earlier one (solve/contact/work.h) */
    abut_vec3 warm;           /* expected for one substep */
    double slip;              /* from the last pass in which it rolled (solve/contact/friction.h) */
    abut_vec3 change;         /* made by the last pass */
    abut_vec3 direction;      /* of the passes (solve/contact/accelerate.h), without that change */
    double mobility[6];       /* of the spins by moments: 00 01 02 11 12 22; since the last solver_refresh() */
    double lever;             /* makes spins comparable with velocities [length] */

    /* In a direct solution (solve/contact/roll_part.h). */
    bool holds_roll, holds_spin;
    abut_vec3 before, spin_before, step;
} solver_roll;

/* Computes the mobility at the bodies' present placement; needs a refreshed patch. */
void roll_refresh(const solver_body *a, const solver_body *b, const solver_patch *patch, solver_roll *roll);

/* Applies half of the impulse that a substep is expected to need. */
void roll_warm_start(solver_body *a, solver_body *b, const solver_patch *patch, solver_roll *roll);

/* The load of a patch. */
double roll_load(const solver_patch *patch, const solver_point *points);

/* Sets the moments for the present spin and load. Returns the largest change of a surface's velocity. */
double roll_solve(solver_body *a, solver_body *b, const solver_patch *patch, solver_roll *roll, double load);

/* Before and after a pass that goes on in its direction by a factor (solver_pass_on()). The second one returns the energy of the change. */
void roll_go_on(solver_roll *roll, double factor);
double roll_note_change(solver_roll *roll);

/* Adds to the moments and to the velocities of the bodies. */
void roll_apply(solver_body *a, solver_body *b, const solver_patch *patch, solver_roll *roll, abut_vec3 change);
