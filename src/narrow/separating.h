#pragma once

#include "narrow/normal/convex_parts.h"
#include "narrow/pair.h"

/*
 * Separating directions. They prove that two bodies have no contact, and a cache keeps one from an earlier call.
 *
 * Two bodies are clearly apart when some direction separates them by more than separating_doubt(). Every method then finds them apart, whichever direction it
 * takes, however sharp their corners are and wherever their frames lie. For closer bodies the contact generator decides, so that no two questions about the
 * same pair get different answers.
 */

double separating_doubt(const convex *a, const convex *b);
/* The same for shapes of which A stands at the origin of the pair's frame. */
double separating_doubt_of_shapes(const abut_shape *a, const abut_shape *b, abut_vec3 position_b);
/* The same threshold for a body and an object of the given size beside it. The object's points are given in the body's frame. */
double separating_doubt_beside(const convex *body, double size);
double separating_doubt_of_plane(const convex *body, const convex_parts *plane);

/* Whether a direction from A to B still separates the bodies clearly, beyond the pair's margin. The direction is in the pair's frame and may have any
 * length; zero and non-finite directions separate nothing. Works for bounded convex shapes only, and returns false for all others. */
bool separating_holds(const collide_pair *pair, abut_vec3 direction);
