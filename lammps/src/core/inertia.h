#pragma once

#include <abut/math.h>

/*
 * The rotation of a rigid body that forces turn for a moment and that turns freely in between: the two halves of a velocity-Verlet step. The body keeps its
 * angular momentum to rounding.
 */

namespace abut_lammps {

/* Principal moments about the centre of mass [mass length^2], and the principal axes in the frame of the body: columns, unit, at right angles. */
struct Inertia {
    abut_vec3 moments;
    abut_mat3 axes;
};

/* From a symmetric, positive definite tensor in the frame of the body. */
Inertia inertia_of(const abut_mat3 &tensor);

/* What has this angular velocity, both in the world frame: I w. rotation: from the frame of the body to the world. */
abut_vec3 angular_momentum(const Inertia &inertia, const abut_quat &rotation, const abut_vec3 &angular_velocity);
/* The inverse of angular_momentum(); also the angular acceleration of a torque. */
abut_vec3 angular_velocity_of(const Inertia &inertia, const abut_quat &rotation, const abut_vec3 &momentum);

/* Turns the body freely for a time. */
void turn_freely(const Inertia &inertia, double time, abut_quat &rotation, abut_vec3 &angular_velocity);

} // namespace abut_lammps
