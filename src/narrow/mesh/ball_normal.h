#pragma once

#include "narrow/mesh/ball.h"

/*
 * The normals of two baselines for a ball on a mesh, which Terdiman discusses as earlier approaches. Both need to know neighbours. Set frame; the ball's centre
 * is the origin. `facing`: the triangle's normal on the side that faces the ball. With ABUT_MESH_BY_PLACE corners at one position are one, bit for bit.
 */

/*
 * Third approach (van den Bergen, "Smooth Mesh Contacts with GJK"): the normals of the vertices, interpolated at the triangle's point closest to the ball. A
 * vertex has the sum of the normals of its triangles, each weighted by its angle there.
 */
abut_vec3 ball_smoothed_normal(const ball_settings *settings, const mesh_triangle *t, abut_vec3 facing);

/*
 * Fourth approach (Coumans, "Contact generation"): the direction from the closest point of a triangle to the ball, turned into the Voronoi region of each edge
 * that has the point: between the normals of the edge's two triangles. At an edge that is flat within 1e-4 rad, or concave, it is the triangle's normal. A side
 * without a neighbour turns nothing.
 * side, other: the triangle's sides with the point, equal if it is one.
 */
abut_vec3 ball_voronoi_normal(const mesh_set *set, const ball_settings *settings, const mesh_triangle *t, int side, int other,
                              abut_vec3 facing);
