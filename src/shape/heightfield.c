/* Triangles of a grid of heights, which are made when they are needed. */

#include "shape/heightfield.h"

#include <math.h>

void heightfield_triangle(const trimesh *mesh, int32_t index, abut_triangle *triangle) {
    int32_t cell = index / 2, columns = mesh->columns, row = cell / (columns - 1), column = cell % (columns - 1);
    int32_t lowest = row * columns + column;
    triangle->vertex[0] = lowest;
    triangle->vertex[1] = index % 2 == 0 ? lowest + 1 : lowest + columns + 1;
    triangle->vertex[2] = index % 2 == 0 ? lowest + columns + 1 : lowest + columns;
    for (int i = 0; i < 3; i++) {
        triangle->corner[i] = trimesh_vertex(mesh, triangle->vertex[i]);
    }
}

/* The block's cells that lie in a range of one coordinate, with a small margin for rounding error. */
static void cells_between(double lower, double upper, double spacing, int32_t *first, int32_t *last) {
    const double hair = 1e-9;
    double from = floor(lower / spacing - hair), to = floor(upper / spacing + hair);
    *first = from > *first ? (from <= *last ? (int32_t)from : *last + 1) : *first;
    *last = to < *last ? (to >= *first ? (int32_t)to : *first - 1) : *last;
}

void heightfield_begin(heightfield_walk *walk, const trimesh *mesh, int32_t block, const abut_aabb *box) {
    int32_t across = heightfield_blocks(mesh->columns);
    int32_t column = block % across * HEIGHTFIELD_BLOCK, row = block / across * HEIGHTFIELD_BLOCK;
    int32_t last_column = column + HEIGHTFIELD_BLOCK - 1, last_row = row + HEIGHTFIELD_BLOCK - 1;
    last_column = last_column < mesh->columns - 1 ? last_column : mesh->columns - 2;
    last_row = last_row < mesh->rows - 1 ? last_row : mesh->rows - 2;
    cells_between(box->lower.x, box->upper.x, mesh->spacing_x, &column, &last_column);
    cells_between(box->lower.y, box->upper.y, mesh->spacing_y, &row, &last_row);
    *walk = (heightfield_walk){column, last_column, column <= last_column ? last_row : row - 1, column, row, 0};
}

/* The range of one coordinate of the line's part within the bounds of a block, given along the other coordinate; enlarged by rounding errors. */
static void line_within(double lower, double upper, double origin, double way, double other, double other_way, double *from, double *to) {
    const double rounding = 1e-12;
    *from = -INFINITY;
    *to = INFINITY;
    if (way == 0.0) {
        return;
    }
    double slope = other_way / way, p = other + (lower - origin) * slope, q = other + (upper - origin) * slope;
    double reach = rounding * (fabs(other) + (fabs(lower) + fabs(upper) + fabs(origin)) * (1.0 + fabs(slope)));
    if (isfinite(p) && isfinite(q) && isfinite(reach)) {
        *from = (p < q ? p : q) - reach;
        *to = (p < q ? q : p) + reach;
    }
}

/* A line that runs across this coordinate. */
static void point_within(double at, double *from, double *to) {
    const double reach = 1e-12 * fabs(at);
    *from = at - reach;
    *to = at + reach;
}

void heightfield_begin_along(heightfield_walk *walk, const trimesh *mesh, int32_t block, abut_vec3 origin, abut_vec3 way) {
    int32_t across = heightfield_blocks(mesh->columns);
    double x = mesh->spacing_x * (block % across * HEIGHTFIELD_BLOCK), y = mesh->spacing_y * (block / across * HEIGHTFIELD_BLOCK);
    abut_aabb box = {.lower.z = -INFINITY, .upper.z = INFINITY};
    line_within(y, y + HEIGHTFIELD_BLOCK * mesh->spacing_y, origin.y, way.y, origin.x, way.x, &box.lower.x, &box.upper.x);
    line_within(x, x + HEIGHTFIELD_BLOCK * mesh->spacing_x, origin.x, way.x, origin.y, way.y, &box.lower.y, &box.upper.y);
    if (way.x == 0.0) {
        point_within(origin.x, &box.lower.x, &box.upper.x);
    }
    if (way.y == 0.0) {
        point_within(origin.y, &box.lower.y, &box.upper.y);
    }
    heightfield_begin(walk, mesh, block, &box);
}
