#pragma once

#include <abut/shape.h>

#include "shape/polytope.h"

/*
 * Mass properties for density 1: volume, centre and inertia about the centre, axes of the shape frame.
 */

abut_mass mass_of_sphere(double radius);
abut_mass mass_of_capsule(double radius, double half_length);
/* Of a cylinder or cone with these radii at its ends and its centre of mass at the origin. */
abut_mass mass_of_frustum(double radius, double top_radius, double height);
abut_mass mass_of_box(abut_vec3 half);
abut_mass mass_of_ellipsoid(abut_vec3 half);
abut_mass mass_of_superquadric(abut_vec3 half, double e1, double e2);

/* A closed surface. */
typedef struct mass_surface {
    const abut_vec3 *vertices;
    const int32_t *first;   /* [face_count + 1] into corners; NULL when all faces are triangles */
    const int32_t *corners; /* counter-clockwise seen from outside */
    int32_t face_count;
    double size; /* its largest extent */
} mass_surface;

/* By the divergence theorem, from any point near the centre. All zero when the volume is not positive. */
abut_mass mass_of_surface(const mass_surface *surface, abut_vec3 apex);

/* The mass of a completed polytope. */
abut_mass mass_of_polytope(const polytope *surface);

/* The sum of the posed parts. Overlaps count twice. */
abut_mass mass_of_parts(const abut_part *parts, int32_t count);
