#pragma once

#include <abut/smooth.h>

/*
 * The surface of a shape at a contact, with the curvature of the feature: a face has curvature 0, a vertex infinite curvature, an edge
 * infinite curvature across it and 0 along it, a smooth feature its own.
 *
 * shape not a compound point near the contact, shape frame; used only for shapes that are not convex outward unit outward normal, shape
 * frame
 *
 * Returns ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT for a feature that the shape does not have; the statuses of abut_shape_curvature().
 */
abut_status contact_surface_find(const abut_shape *shape, abut_feature feature, abut_vec3 point, abut_vec3 outward,
                                 abut_curvature *surface);

/* The way along a straight edge of a box, a polytope or a mesh, shape frame. ABUT_ERROR_INVALID_ARGUMENT for an edge that the shape does not have. */
abut_status contact_surface_edge(const abut_shape *shape, int32_t edge, abut_vec3 *along);

/* Transforms a surface from the shape's frame into another frame. */
void contact_surface_turn(abut_curvature *surface, abut_mat3 rotation, abut_vec3 position);
