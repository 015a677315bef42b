#pragma once

#include "shape/trimesh.h"

/*
 * Triangles of a grid of heights. The hierarchy's items are blocks of HEIGHTFIELD_BLOCK x HEIGHTFIELD_BLOCK cells, row by row.
 */

enum { HEIGHTFIELD_BLOCK = 4 };

void heightfield_triangle(const trimesh *mesh, int32_t index, abut_triangle *triangle);

/* The next triangle of a block; -1 after the last one. *at: 0 at first. */
int32_t heightfield_block_triangle(const trimesh *mesh, int32_t block, int32_t *at);
