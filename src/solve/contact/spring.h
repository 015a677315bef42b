#pragma once

#include "solve/contact/state.h"

/*
 * A damped spring between a point of a body and a point of the world, stable at any stiffness.
 */
typedef struct solver_spring {
    int32_t body;
    abut_vec3 local;  /* anchor in the principal frame */
    abut_vec3 start;  /* anchor minus target at the begin of the step */
    abut_vec3 from;   /* the anchor's arm at the begin of the step */
    double stiffness; /* k [force / length] */
    double damping;   /* c [force time / length] */
    double max_force;

    abut_vec3 arm;     /* from the centre of mass to the anchor */
    abut_vec3 stretch; /* anchor minus target */
    abut_mat3 inverse; /* of 1 + yield * mobility */
    double yield;      /* impulse for a unit velocity of the anchor [mass] */
    abut_vec3 impulse; /* of the present stage */
} solver_spring;

/* Prepares the spring at the bodies' present placement, for a substep of length h. Each stage solves for the impulse of half a substep. */
void solver_spring_refresh(const solver_body *bodies, solver_spring *spring, double h);

/* Applies the impulse of the previous stage again. */
void solver_spring_warm_start(solver_body *bodies, const solver_spring *spring);

/* Returns the change of the anchor's velocity. */
double solver_spring_solve(solver_body *bodies, solver_spring *spring, double h);

/* The stretch at the bodies' present placement. */
abut_vec3 solver_spring_stretch(const solver_body *bodies, const solver_spring *spring);
