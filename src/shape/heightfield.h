#pragma once

#include "shape/trimesh_data.h"

/*
 * Triangles of a grid of heights. The hierarchy's items are blocks of HEIGHTFIELD_BLOCK x HEIGHTFIELD_BLOCK cells, row by row.
 */

enum { HEIGHTFIELD_BLOCK = 4 };

/* The number of blocks along a side with that many vertices. */
static inline int32_t heightfield_blocks(int32_t vertices) { return (vertices - 1 + HEIGHTFIELD_BLOCK - 1) / HEIGHTFIELD_BLOCK; }

void heightfield_triangle(const trimesh *mesh, int32_t index, abut_triangle *triangle);

/* Iterates over the cells of a block that meet a box, seen from above. */
typedef struct heightfield_walk {
    int32_t first_column, last_column, last_row; /* cells */
    int32_t column, row, half;                   /* the next triangle */
} heightfield_walk;

void heightfield_begin(heightfield_walk *walk, const trimesh *mesh, int32_t block, const abut_aabb *box);

/* The cells that the line from origin along `way` may meet, seen from above; all of them where numbers overflow. */
void heightfield_begin_along(heightfield_walk *walk, const trimesh *mesh, int32_t block, abut_vec3 origin, abut_vec3 way);

/* The next triangle, or -1 after the last one. */
static inline int32_t heightfield_next(heightfield_walk *walk, const trimesh *mesh) {
    if (walk->row > walk->last_row) {
        return -1;
    }
    int32_t index = 2 * (walk->row * (mesh->columns - 1) + walk->column) + walk->half;
    walk->half = 1 - walk->half;
    if (walk->half == 0 && ++walk->column > walk->last_column) {
        walk->column = walk->first_column;
        ++walk->row;
    }
    return index;
}
