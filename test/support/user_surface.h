#pragma once

#include <abut/smooth.h>

/*
 * Surfaces by callbacks, for tests: ellipsoids and tori in both representations, and a body of fourth degree. The structs are the contexts of the callbacks.
 */

typedef struct user_ellipsoid {
    abut_vec3 half, middle;
} user_ellipsoid;

typedef struct user_torus { /* about the z axis */
    double ring, tube;
} user_torus;

abut_implicit_def user_ellipsoid_implicit(user_ellipsoid *ellipsoid);
abut_parametric_def user_ellipsoid_parametric(user_ellipsoid *ellipsoid);
abut_implicit_def user_torus_implicit(user_torus *torus);
abut_parametric_def user_torus_parametric(user_torus *torus);
/* x^4 + y^4 + z^4 + (x^2 + y^2 + z^2) / 2 = 1 in units of *size: convex, curved everywhere. */
abut_implicit_def user_quartic(double *size);
