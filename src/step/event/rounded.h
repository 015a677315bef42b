#pragma once

#include <abut/smooth.h>

/*
 * Superquadrics for contacts with planes, rounded by less than the stepper can see.
 *
 * Where a component n_i of the normal is zero, an exponent below 1 makes a radius of curvature infinite: the contact point jumps from one side to the other
 * while n_i passes through the last digits of its numbers. So components are replaced by s_i = sqrt(n_i^2 + t^2 |n|^2), with a small t, the rounding. The
 * support function of s is again a norm, so it describes a convex body. It contains the shape, and exceeds it by about 1e-10 of its size. Its radii are
 * finite.
 */

/* The rounding of a superquadric: its smallest power of the support function, 2 / (2 - e), raises it to 1e-10. */
double event_rounding_of(const abut_shape *shape);

/* The point with the outward normal n, which must be unit; shape frame. */
abut_vec3 event_rounded_support(const abut_shape *shape, double rounding, abut_vec3 n);

/* w R w, with the radii of curvature R there and a vector w of the tangent plane. */
double event_rounded_bend(const abut_shape *shape, double rounding, abut_vec3 n, abut_vec3 w);

/* Directions and curvatures there. */
void event_rounded_surface(const abut_shape *shape, double rounding, abut_vec3 n, abut_curvature *surface);
