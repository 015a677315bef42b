#pragma once

#include "narrow/mesh/mesh.h"

/*
 * Bodies that meet each of several meshes by itself, as they do in a world: planes, bodies of rounded triangles, and smooth bodies that are not convex. Their
 * contacts with a mesh are those of abut_collide(). A smooth body has none on borders that other meshes hide, and one where it meets two meshes at one place.
 */

/* Whether the shape is such a body. */
bool mesh_each_is(const abut_shape *shape);

/* All contacts of such a body with meshes near it, with the mesh as the part of its feature. The poses and settings are valid. all: `own` is -1.
 * near: [near_count] indices of these meshes. */
void mesh_each(const mesh_group *group, const int32_t *near, int32_t near_count, mesh_share *all);
