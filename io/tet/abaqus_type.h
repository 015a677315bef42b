#pragma once

#include "io/tet/cell_kind.h"

/* The number of nodes of a tetrahedron by the name of its type: 4 for C3D4, 10 for C3D10M; 0 for other types. Case does not count. */
int abaqus_tetra_nodes(const char *type);
/* The kind of an element that is not a tetrahedron. */
cell_kind abaqus_kind(const char *type);
