#pragma once

#include "narrow/normal.h"

/*
 * Penetration depth: directions along which two overlapping bodies are separated by a short translation.
 */

/* Polytopes: turn to neighbouring facets of A - B while that lessens the depth. The result is a local minimum of the depth, at which the
 * two features face each other along the normal. */
void depth_refine(const convex *a, const convex *b, abut_vec3 previous, contact_normal *normal);

/* Any two bodies of which one has faces: of all face normals, the one of least depth. Without faces: the previous direction or any.
 * Always `chosen`. */
contact_normal depth_of_faces(const convex *a, const convex *b, abut_vec3 previous);

/* A point or segment core that meets a polytope core: the least translation, over all facets of their difference. */
contact_normal depth_of_sunk_core(const convex *a, const convex *b, abut_vec3 previous);

/* Two boxes that overlap: the least translation, over all fifteen axes. Turns `normal` to it if that is less deep. */
void depth_of_boxes(const convex *a, const convex *b, contact_normal *normal);
