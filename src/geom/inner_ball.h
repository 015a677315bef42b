#pragma once

#include <abut/math.h>

/*
 * The largest ball inside the convex polyhedron { x : normals[i] . x <= offsets[i] }. The polyhedron contains the origin (offsets >= 0) and
 * lies within `reach` of it. Unit normals. Returns the radius, which is exactly the distance of `centre` from the nearest plane: by
 * rounding error the ball can be a little smaller than the largest one, never too large. If many centres are equally good, it takes one
 * near the origin.
 */
double inner_ball(const abut_vec3 *normals, const double *offsets, int32_t count, double reach, abut_vec3 *centre);

/*
 * True when that ball has no room to move. `distances` are the distances of its centre from the planes. It is also false where only planes
 * that are nearly parallel to the motion prevent it.
 */
bool inner_ball_is_held(const abut_vec3 *normals, const double *distances, int32_t count, double radius);
