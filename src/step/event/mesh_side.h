#pragma once

#include "step/event/row.h"

/*
 * Triangles, edges and vertices of closed, one-sided meshes as features of contacts that are followed. Part frame.
 */

/* The feature of a mesh that a contact names. outward: normal of the contact, away from the mesh. */
event_side event_mesh_side(const abut_shape *shape, abut_feature feature, abut_vec3 outward);

/* The edge of a triangle that is nearest to a point of its plane. face: a side of kind EVENT_FACE. */
event_side event_mesh_border(const event_side *face, abut_vec3 point);

/* How far a contact is outside its feature [length]; negative inside; -INFINITY for vertices. on: the contact's point on the mesh. other: the point that
 * faces it, on the other body or its core. round: the other body is round there, so it touches the feature that is nearest to that point. */
double event_mesh_slip(const event_side *side, abut_vec3 on, abut_vec3 other, bool round);

/* Whether a mesh comes as near as that to a point; part frame. */
bool event_mesh_is_near(const abut_shape *shape, abut_vec3 point, double distance);
