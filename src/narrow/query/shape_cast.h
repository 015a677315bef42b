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

/* abut_shape_cast() for such bodies: its hits and statuses. It writes nothing to the log. */
abut_status shape_cast_find(const moving_body *a, const moving_body *b, double tolerance, abut_hit *hit);

/* The pose of the shape's frame at a fraction of the motion. */
abut_pose shape_cast_pose(const moving_body *body, double fraction);
