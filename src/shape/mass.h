#pragma once

#include <abut/shape.h>

#include "shape/polytope.h"

/*
 * Mass properties for density 1: volume, centre and inertia about the centre, axes of the shape frame.
 */

abut_mass mass_of_sphere(double radius);
abut_mass mass_of_capsule(double radius, double half_length);
abut_mass mass_of_box(abut_vec3 half);

/* By the divergence theorem; needs a completed surface. */
abut_mass mass_of_polytope(const polytope *surface);

/* The posed parts added up; overlaps count twice. */
abut_mass mass_of_parts(const abut_part *parts, int32_t count);
