#pragma once

#include "narrow/query/moving_body.h"

/*
 * Casts of bodies that turn about any point, their centre of mass for example. abut_shape_cast() turns them about the origins of their frames.
 */

/* abut_shape_cast() for such bodies: its hits and statuses. Of two meshes, those that are closed and convex are cast as their solids, and a hit may name
 * features of these. Bodies of rounded triangles are
 * refused: the steppers do not stop them. It writes nothing to the log. */
abut_status shape_cast_find(const moving_body *a, const moving_body *b, double tolerance, abut_hit *hit);

/*
 * The first moment at which a part of A is `depth` deep in a part of B, within a twentieth of the depth: up to then the bodies touch at most. Parts that are
 * deeper at the start are passed over. The depth is above 0 and below the radii of the balls inside the parts; a part that passes through another one gets so
 * deep. The part of a closed convex mesh A is its solid. Those of another mesh A are the balls inside it, if it has some, and its triangles: a triangle counts
 * when it is that deep, or as deep as triangles of its size get. Triangles that do not get deeper than `least` are passed over.
 * *fraction: infinite when it is not reached. The statuses of abut_shape_cast(); after ABUT_ERROR_ITERATION_LIMIT the motion up to *fraction is safe. It writes
 * nothing to the log.
 */
abut_status shape_cast_to_depth(const moving_body *a, const moving_body *b, double depth, double least, double *fraction);

/* The pose of the shape's frame at a fraction of the motion. */
abut_pose shape_cast_pose(const moving_body *body, double fraction);
