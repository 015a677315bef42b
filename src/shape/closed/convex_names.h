#pragma once

#include <abut/contact.h>

#include "shape/trimesh_data.h"

/*
 * The names that features of the polytope of a closed convex mesh have in the mesh.
 */

/* The name in the mesh of the polytope's feature that holds a point (mesh frame): the triangle of the face, or the edge, that is nearest to the point. Of
 * several at one distance the lowest index. */
abut_feature convex_mesh_name(const trimesh *mesh, abut_feature feature, abut_vec3 point);

/* The same whatever the point is. */
abut_feature convex_mesh_name_any(const trimesh *mesh, abut_feature feature);
