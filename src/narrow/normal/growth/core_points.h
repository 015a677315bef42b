#pragma once

#include "narrow/normal/convex.h"

/*
 * Contraction points for the growth distance of a large and a small body.
 *
 * Growth about centroids measures penetration relative to size, so that a small cube near the rim of a large slab is pushed sideways. Instead both bodies are
 * eroded by the smaller inradius rho, and a closest pair of points of the eroded bodies is taken. About these points the half widths of both bodies towards
 * each other are exactly rho, and directions compete by absolute penetration.
 */

/* Finds a closest pair of points of the eroded bodies, pair's frame. The pair is exact for boxes and round bodies, and within a few per cent of rho for
 * other polytopes. Returns false when the eroded bodies meet, that is, when the bodies overlap by more than about 2 rho. Exchanging a and b exchanges the
 * points. */
bool core_points(const convex *a, const convex *b, abut_vec3 *point_a, abut_vec3 *point_b);

/* The point closest to x of the body eroded by rho. rho must not exceed the body's inradius. Pair's frame. */
abut_vec3 core_project(const convex *body, double rho, abut_vec3 x);
