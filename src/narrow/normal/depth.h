#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"

/*
 * Penetration depth: directions along which two overlapping bodies are separated by a short translation.
 */

/* Any two bodies of which one has faces: of all face normals, the one of least depth. Without faces: the previous direction or any.
 * Always `chosen`. */
contact_normal depth_of_faces(const convex *a, const convex *b, abut_vec3 previous);

/* A point or segment core that meets a polytope core: the least translation, over all facets of their difference. */
contact_normal depth_of_sunk_core(const convex *a, const convex *b, abut_vec3 previous);
