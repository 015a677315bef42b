#pragma once

#include <abut/query.h>

/* A moving body. Within one unit of time its pivot moves by motion.linear, and the body turns about the pivot by the rotation vector motion.angular. */
typedef struct moving_body {
    const abut_shape *shape;
    abut_pose pose;  /* of the shape's frame, initially */
    abut_vec3 pivot; /* shape frame */
    abut_motion motion;
} moving_body;

/* The pivot, initially. World frame. */
static inline abut_vec3 moving_pivot(const moving_body *body) { return abut_pose_apply(body->pose, body->pivot); }

/* The pose at a fraction of the motion, with a given position of the pivot. */
static inline abut_pose moving_pose_about(const moving_body *body, abut_vec3 pivot, double fraction) {
    abut_vec3 axis = abut_unit(body->motion.angular);
    abut_quat turned = abut_quat_about(axis, fraction * abut_dot(axis, body->motion.angular));
    abut_quat rotation = abut_quat_unit(abut_quat_mul(turned, body->pose.rotation));
    return (abut_pose){abut_sub(pivot, abut_quat_rotate(rotation, body->pivot)), rotation};
}
