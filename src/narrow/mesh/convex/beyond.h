#pragma once

#include "narrow/mesh/surface.h"
#include "narrow/normal/convex.h"

/*
 * Whether a body, moved along a way out, meets a triangle that it does not meet where it is. The first questions look at all triangles within
 * the moved body's bounds (rim.c). When they have cost about as much as a hierarchy over these triangles, it is made. It remembers which
 * triangles the body meets, and leaves out the parts of the surface in which it meets all of them.
 *
 * The hierarchy changes the time and never the answer. Set frame.
 */

typedef struct mesh_beyond {
    const mesh_surface *surface;
    const convex *body;
    double left;              /* what questions may still cost before the hierarchy is made, in triangles looked at */
    double compared;          /* how many triangles are looked at in the time in which the body is compared with one */
    abut_aabb wanted;         /* the bounds of all moved bodies so far */
    struct beyond_tree *tree; /* NULL: none yet */
} mesh_beyond;

/* count: the triangles near the body. */
void mesh_beyond_init(mesh_beyond *beyond, const mesh_surface *surface, const convex *body, int32_t count);
void mesh_beyond_free(mesh_beyond *beyond);

/* Whether the hierarchy can answer for this moved body. Makes it when that is worth it. */
bool mesh_beyond_is_ready(mesh_beyond *beyond, const convex *moved);

/* Whether the moved body meets a triangle, by more than rounding errors, that rises above the plane through p with the normal and that the
 * body does not meet where it is. Only when ready. */
bool mesh_beyond_meets(mesh_beyond *beyond, const convex *moved, abut_vec3 p, abut_vec3 normal);

/* Whether two bodies overlap by more than `rounding`. */
bool mesh_beyond_overlap(const convex *body, const convex *other, double rounding);
