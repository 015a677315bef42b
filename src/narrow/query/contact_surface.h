#pragma once

#include <abut/smooth.h>

/*
 * The surface of a shape at a contact, as curved as the feature is that touches.
 *
 * shape    no compound
 * point    about where, shape frame; read of shapes that are not convex only
 * outward  unit, shape frame
 * ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for a feature that the shape does not have; what abut_shape_curvature() answers.
 */
abut_status contact_surface_find(const abut_shape *shape, abut_feature feature, abut_vec3 point, abut_vec3 outward, abut_curvature *surface);

/* From the shape's frame to another. */
void contact_surface_turn(abut_curvature *surface, abut_mat3 rotation, abut_vec3 position);
