#pragma once

#include "shape/build/corners.h"
#include "shape/trimesh_data.h"

/* Keeps the neighbours of all sides of a closed surface in mesh->twin, and finds its pieces. False without memory. */
bool mesh_sides_keep(trimesh *mesh, const corners *map);

/* Forgets them. */
void mesh_sides_forget(trimesh *mesh);
