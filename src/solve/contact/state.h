#pragma once

#include <abut/math.h>

#include "base/real.h"

/*
 * A body in the velocity-level solver. World frame, except where the principal frame is named: the frame at the centre of mass whose axes
 * are the principal axes of inertia.
 *
 * Positions are stored as the motion since the begin of the step, so that gaps of micrometres keep their precision kilometres from the
 * origin.
 */
typedef struct solver_body {
    /* Data of every pass come first, so that they lie together in memory. */
    abut_vec3 velocity; /* of the centre of mass */
    abut_vec3 angular_velocity;
    double inverse_mass;       /* 0 for bodies that impulses do not move */
    abut_mat3 inverse_inertia; /* world axes; zero for bodies that impulses do not turn */

    abut_vec3 moved;          /* of the centre of mass since the begin of the step */
    abut_quat rotation;       /* principal frame to world */
    abut_mat3 axes;           /* the same as a matrix */
    double least_moment;      /* of inertia, which the loads of joints ask for (solve/joint/joint.h); 0 for none */
    const abut_motion *drive; /* motion of the surface along itself: principal frame, about the centre of mass; NULL for none */

    /* Only the exact solver has these. */
    abut_vec3 before, angular_before;       /* velocities before the current pass */
    abut_vec3 direction, angular_direction; /* direction of the passes (solve/contact/accelerate.h) */
    abut_vec3 held_velocity;                /* earlier velocities in this substep (solve/contact/work.h) */
    abut_vec3 held_angular_velocity;
} solver_body;

/* Velocity of the point at `arm` from the centre of mass. */
static inline abut_vec3 solver_velocity_at(const solver_body *body, abut_vec3 arm) {
    return abut_add(body->velocity, abut_cross(body->angular_velocity, arm));
}

/* Applies an impulse at `arm` from the centre of mass. */
static inline void solver_push(solver_body *body, abut_vec3 arm, abut_vec3 impulse) {
    if (body->inverse_mass == 0.0) {
        return;
    }
    body->velocity = abut_add_scaled(body->velocity, body->inverse_mass, impulse);
    body->angular_velocity = abut_add(body->angular_velocity, abut_mat3_apply(body->inverse_inertia, abut_cross(arm, impulse)));
}

/* The change of velocity along p at the point `arm` per unit impulse along q: p . (1/m - [arm] I^-1 [arm]) q. */
static inline double solver_mobility(const solver_body *body, abut_vec3 arm, abut_vec3 p, abut_vec3 q) {
    return body->inverse_mass * abut_dot(p, q) + abut_dot(abut_cross(arm, p), abut_mat3_apply(body->inverse_inertia, abut_cross(arm, q)));
}
