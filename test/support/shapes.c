/* Shapes and poses in one expression: see shapes.h. */
#include "support/shapes.h"

#include <abut/smooth.h>

#include "support/check.h"

abut_shape *sphere(double radius) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_sphere(radius, &shape));
    return shape;
}

abut_shape *capsule(double radius, double half_length) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_capsule(radius, half_length, &shape));
    return shape;
}

abut_shape *box(double x, double y, double z) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_box(abut_vec3_make(x, y, z), &shape));
    return shape;
}

abut_shape *ellipsoid(double x, double y, double z) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_ellipsoid(abut_vec3_make(x, y, z), &shape));
    return shape;
}

abut_shape *cylinder(double radius, double half_height) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_cylinder(radius, half_height, &shape));
    return shape;
}

abut_shape *cone(double radius, double height) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_cone(radius, height, &shape));
    return shape;
}

abut_shape *truncated(double radius, double top_radius, double height) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_frustum(radius, top_radius, height, &shape));
    return shape;
}

abut_shape *prism(double radius, double half_height, int32_t sides) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_prism(radius, half_height, sides, &shape));
    return shape;
}

abut_shape *plane(abut_vec3 normal, double offset) {
    abut_shape *shape = NULL;
    assert_ok(abut_shape_create_plane(normal, offset, &shape));
    return shape;
}

abut_pose at(double x, double y, double z) { return (abut_pose){{x, y, z}, abut_quat_identity()}; }

abut_pose turned(abut_pose pose, abut_vec3 axis, double angle) {
    pose.rotation = abut_quat_mul(abut_quat_about(abut_unit(axis), angle), pose.rotation);
    return pose;
}
