#pragma once

#include "narrow/query/shape_cast.h"
#include "solve/contact/state.h"
#include "step/world/world.h"

/*
 * The motions of bodies within a step, as casts need them: about the centre of mass.
 */

/* A point of a body's path, and how fast the body turns after it. */
typedef struct path_point {
    abut_vec3 moved; /* of the centre of mass since the start of the step */
    abut_quat rotation;
    abut_vec3 angular_velocity;
} path_point;

path_point path_point_of(const solver_body *state);
path_point path_start(const body *body);

/* The motion expected for a step of length dt, by velocities, gravity and forces alone; and with the body. */
abut_motion path_motion(const abut_world *world, const body *body, double dt);
moving_body path_expected(const abut_world *world, const body *body, double dt);

/* The motion between two states that follow each other after the time dt. */
moving_body path_between(const body *body, const path_point *from, const path_point *to, double dt);

/* A part of a motion, between two fractions. */
moving_body path_part(const moving_body *whole, double begin, double end);

/* An upper bound of the distance by which a point of the body moves. */
double path_length(const body *body, abut_motion motion);
