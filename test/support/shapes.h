#pragma once

#include <abut/math.h>
#include <abut/shape.h>

/*
 * Shapes and poses in one expression, for tables of closed forms. The test fails where the library refuses a shape. Release them with abut_shape_release().
 */

abut_shape *sphere(double radius);
abut_shape *capsule(double radius, double half_length);
abut_shape *box(double x, double y, double z); /* half sides */
abut_shape *ellipsoid(double x, double y, double z);
abut_shape *cylinder(double radius, double half_height);
abut_shape *cone(double radius, double height);
abut_shape *truncated(double radius, double top_radius, double height); /* cone */
abut_shape *prism(double radius, double half_height, int32_t sides);
abut_shape *plane(abut_vec3 normal, double offset);

/* Not turned. */
abut_pose at(double x, double y, double z);
/* Turned about its own position after all other turns. axis: of any length */
abut_pose turned(abut_pose pose, abut_vec3 axis, double angle);
