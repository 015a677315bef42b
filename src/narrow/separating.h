#pragma once

#include "narrow/pair.h"
#include "narrow/normal/convex_parts.h"

/*
 * Directions that separate two bodies: the proof that they have no contact, and what a cache holds of an earlier call.
 *
 * Bodies are clearly apart when they are separated along some direction by more than separating_doubt(): however sharp their corners and
 * wherever their frames, every method then finds them apart, whichever direction it takes. Nearer, the generator of contacts decides, so
 * that no two questions about the same pair get different answers.
 */

double separating_doubt(const convex *a, const convex *b);
/* The same of a body and something of that size beside it, whose points are seen from the body's frame. */
double separating_doubt_beside(const convex *body, double size);
double separating_doubt_of_plane(const convex *body, const convex_parts *plane);

/* Does a direction from A to B (pair frame, any length; zero and numbers that are none separate nothing) still show the bodies clearly
 * apart, beyond the pair's margin? Spheres, capsules, boxes and polytopes only: false for all others. */
bool separating_holds(const collide_pair *pair, abut_vec3 direction);
