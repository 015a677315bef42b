#pragma once

#include <abut/shape.h>

#include "shape/surface/triangulation_data.h"

/*
 * The surface of a smooth body that is not convex as a closed mesh of triangles. Contacts are found on the mesh, and then made exact on the surface
 * (narrow/curved/curved.h). Shape frame.
 */

/* Makes the triangles of a shape that is not convex. Its mass is known. *made stays NULL if the triangles in the grid do not enclose the
 * whole body: such a body meets no other one. */
abut_status triangulation_make(const abut_shape *shape, triangulation **made);
