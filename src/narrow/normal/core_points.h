#pragma once

#include "narrow/normal/convex.h"

/*
 * Contraction points for the growth distance of a big and a small body.
 *
 * Growth about centroids measures penetration relative to size, so a small cube near the rim of a large slab is pushed sideways. Erode both
 * bodies by the smaller inradius rho; about a closest pair of points of what is left, the half widths of both bodies towards each other are
 * exactly rho, and directions compete by absolute penetration.
 */

/* Returns true and a closest pair (exact for boxes and round bodies, within a few per cent of rho for other polytopes) of points of the
 * eroded bodies, pair frame; false when these meet, that is when the bodies overlap by more than about 2 rho. An exchange of a and b
 * exchanges the points. */
bool core_points(const convex *a, const convex *b, abut_vec3 *point_a, abut_vec3 *point_b);

/* The point of the body, eroded by rho, closest to x. rho must not exceed the body's inradius. Pair frame. */
abut_vec3 core_project(const convex *body, double rho, abut_vec3 x);
