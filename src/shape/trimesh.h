#pragma once

#include <abut/mesh.h>

#include "shape/trimesh_data.h"

/*
 * Queries of the surface of a mesh.
 */

/* Triangle `index`, shape frame. */
void trimesh_triangle(const trimesh *mesh, int32_t index, abut_triangle *triangle);

/* Called for a triangle; false ends the search. */
typedef bool trimesh_visit(void *context, int32_t index, const abut_triangle *triangle);

/* Visits every triangle whose bounds meet the box (shape frame), touching included. False when visit ended it. */
bool trimesh_in_box(const trimesh *mesh, abut_aabb box, trimesh_visit *visit, void *context);

/* Visits every triangle whose bounds are no farther from the point (shape frame) than the radius. */
bool trimesh_in_ball(const trimesh *mesh, abut_vec3 centre, double radius, trimesh_visit *visit, void *context);

/* Visits every triangle of a leaf of the hierarchy. False when visit ended it. */
bool trimesh_of_leaf(const trimesh *mesh, packed_leaf leaf, trimesh_visit *visit, void *context);

/* Called for a triangle that may be nearer than the limit, which it may lower. The limit is a fraction of a ray's way, or a distance. */
typedef void trimesh_approach(void *context, int32_t index, const abut_triangle *triangle, double *limit);

/* Visits every triangle whose bounds the ray meets before the limit, which is a fraction of the way and 1 at its end. Visits nearly in the order of the ray. */
void trimesh_along(const trimesh *mesh, abut_vec3 origin, abut_vec3 way, double limit, trimesh_approach *approach, void *context);

/* Visits every triangle whose bounds are no farther from the point than the limit, nearly in the order of distance. */
void trimesh_near(const trimesh *mesh, abut_vec3 point, double limit, trimesh_approach *approach, void *context);

/* Visits every triangle with a vertex x for which direction . x >= height, and possibly more. */
bool trimesh_above(const trimesh *mesh, abut_vec3 direction, double height, trimesh_visit *visit, void *context);

/* Whether a ball (shape frame) may contain something of interest. */
typedef bool trimesh_keep(void *context, abut_vec3 centre, double radius);

/* Visits every triangle in such a ball, and possibly more. `keep` is asked about ever smaller balls. */
bool trimesh_where(const trimesh *mesh, trimesh_keep *keep, trimesh_visit *visit, void *context);

/* The vertex of a triangle that is farthest along the direction, the lowest index among equals. */
int32_t trimesh_farthest(const trimesh *mesh, abut_vec3 direction);

/* The number of bytes that the surface takes, at most. */
size_t trimesh_bytes(const trimesh *mesh);

void trimesh_release(trimesh *mesh);
