#pragma once

#include <abut/query.h>

/*
 * Casts of bodies that turn about any point, their centre of mass for example. abut_shape_cast() turns them about the origins of their frames.
 */

/* A moving body. Within one unit of time its pivot moves by motion.linear, and the body turns about the pivot by the rotation vector motion.angular. */
typedef struct moving_body {
    const abut_shape *shape;
    abut_pose pose;  /* of the shape's frame, initially */
    abut_vec3 pivot; /* shape frame */
    abut_motion motion;
} moving_body;

/* abut_shape_cast() for such bodies: its hits and statuses. Of two meshes, those that are closed and convex are cast as their solids, and a hit may name
 * features of these. It writes nothing to the log. */
abut_status shape_cast_find(const moving_body *a, const moving_body *b, double tolerance, abut_hit *hit);

/*
 * The first moment at which a part of A is `depth` deep in a part of B, within a twentieth of the depth: up to then the bodies touch at most. Parts that are
 * deeper at the start are passed over. The depth is above 0 and below the radii of the balls inside the parts; a part that passes through another one gets so
 * deep. The part of a closed convex mesh A is its solid; those of another closed mesh A are balls inside it, because triangles get nowhere deep.
 * *fraction: infinite when it is not reached. The statuses of abut_shape_cast(); after ABUT_ERROR_ITERATION_LIMIT the motion up to *fraction is safe. It writes
 * nothing to the log.
 */
abut_status shape_cast_to_depth(const moving_body *a, const moving_body *b, double depth, double *fraction);

/* The same, or where the surface of a closed mesh A that is not convex gets into B, if that is earlier: where one of its triangles is that deep, or as deep as
 * triangles of its size get. Triangles that do not get deeper than `least` are passed over. */
abut_status shape_cast_surface_to_depth(const moving_body *a, const moving_body *b, double depth, double least, double *fraction);

/* The pose of the shape's frame at a fraction of the motion. */
abut_pose shape_cast_pose(const moving_body *body, double fraction);
