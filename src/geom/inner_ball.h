#pragma once

#include <abut/math.h>

/*
 * The largest ball inside the convex polyhedron { x : normals[i] . x <= offsets[i] }, which contains the origin (offsets >= 0) and lies
 * within `reach` of it. Unit normals. Returns the radius, which is exactly the distance of `centre` from the nearest plane: rounding can
 * make the ball a little smaller than the largest one, never too large. Where many centres are equally good, one near the origin.
 */
double inner_ball(const abut_vec3 *normals, const double *offsets, int32_t count, double reach, abut_vec3 *centre);

/*
 * Whether that ball has no room to move: `distances` are those of its centre from the planes. False also where it could move but for planes
 * that are nearly parallel to the way.
 */
bool inner_ball_is_held(const abut_vec3 *normals, const double *distances, int32_t count, double radius);
