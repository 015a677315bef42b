#pragma once

#include <abut/query.h>

#include "narrow/mesh/set.h"
#include "narrow/pair.h"
#include "narrow/mesh/convex/triangle_body.h"

/*
 * How far a mesh is from anything, in the pair's frame. As distance_find(), which calls it.
 */
abut_status mesh_distance_find(const collide_pair *pair, bool apart, abut_separation *separation);

/* One mesh of a pair, placed relative to a point; pair frame. */
placed_mesh mesh_distance_place(const collide_pair *pair, bool mesh_is_a, abut_vec3 about);

/* The separation of a convex body, as A, and a triangle, as B. */
abut_separation mesh_distance_along(const convex *body, const triangle_body *flat, const mesh_triangle *triangle,
                                    const contact_normal *normal);

/* Replaces the name of an edge by that of the lowest triangle of the mesh that has the edge. */
abut_feature mesh_distance_name(const abut_shape *mesh, abut_feature feature);
