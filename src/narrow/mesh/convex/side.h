#pragma once

#include "narrow/mesh/convex/met.h"

/*
 * What a triangle that is too narrow to tell asks of the widest one in its plane. The normal of a sliver is known to the spacing of numbers over its
 * width only, and the body may be far from it.
 *
 * A two-sided triangle pushes a body towards the side on which more of it is. If both are alike, up to rounding errors, the winding decides. A flat
 * part must not push to both sides, so triangles that cannot tell follow the widest one.
 */

/* The triangle with its front towards the side that it pushes to. */
mesh_triangle mesh_side_turned(const convex_work *work, const mesh_triangle *t);

/* The triangle that tells best how deep the body is below the plane of one: the widest one in it, facing the same way, or the triangle itself if it is wide
 * enough. */
mesh_triangle mesh_side_best(const convex_work *work, const mesh_triangle *t);
