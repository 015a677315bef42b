#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

/*
 * Penetration depth: directions along which a short translation separates two overlapping bodies.
 */

/* Two bodies, at least one of them with faces: the face normal of least depth. Two bodies without faces: the previous direction, or any direction. The
 * result is always `chosen`. */
contact_normal depth_of_faces(const convex *a, const convex *b, abut_vec3 previous);

/* A point or segment core inside a polytope core: the least translation over all facets of their difference. */
contact_normal depth_of_sunk_core(const convex *a, const convex *b, abut_vec3 previous);
