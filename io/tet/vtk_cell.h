#pragma once

#include <stdbool.h>

#include "io/tet/cell_kind.h"

/*
 * Types of cells, as legacy and XML files of VTK number them.
 */

/* True when the first four points of a cell of this type are the corners of a tetrahedron. */
bool vtk_cell_is_tetra(int64_t type);
/* True when a tetrahedron of this type may have that many points. */
bool vtk_cell_has_size(int64_t type, int64_t size);
/* The kind of a cell that is not a tetrahedron. */
cell_kind vtk_cell_kind(int64_t type);
