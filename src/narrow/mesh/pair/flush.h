#pragma once

#include "narrow/mesh/set.h"

/* Whether rounding errors decide how two triangles lie to each other: a corner of one is on the other, or two of their sides meet, up to the length `same`. */
bool mesh_lie_flush(const mesh_triangle *a, const mesh_triangle *b, double same);
