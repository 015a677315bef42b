#pragma once

#include "narrow/mesh/convex/met.h"

/*
 * Which side of a two-sided triangle a body is pushed out of: towards the one on which more of it is. If both are alike, up to rounding errors,
 * the winding decides. A flat part must not push to both sides, so triangles that cannot tell follow the widest one in their plane: the normal
 * of a sliver is known to the spacing of numbers over its width only, and the body may be far from it.
 */

/* The answer for the plane that was asked about last. */
typedef struct mesh_side {
    mesh_triangle widest;
    bool turned; /* the widest triangle pushes towards its back */
    bool made;
} mesh_side;

/* The triangle with its front towards the side that it pushes to. */
mesh_triangle mesh_side_turned(const convex_work *work, mesh_side *side, const mesh_triangle *t);
