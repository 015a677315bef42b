#pragma once

#include <abut/smooth.h>

/*
 * Triangles of a parametric surface: points of a grid of the parameters. Sides that meet share their points, and a side that is one point (a pole) is one
 * vertex, so the triangles of a closed surface are closed.
 */

typedef struct parameter_grid {
    abut_parametric_def def;
    bool swapped;    /* rows follow u, else v */
    bool pole[2];    /* the first and the last row are one point each */
    int32_t rows;    /* of vertices */
    int32_t columns; /* of vertices, in a row that is no pole */
    int32_t strips;  /* rows of cells */
    int32_t cells;   /* in a strip */
    int32_t vertex_count, triangle_count;
} parameter_grid;

parameter_grid parameter_grid_plan(const abut_parametric_def *def);

/* Writes the vertices, and three corners of each triangle, counter-clockwise seen from outside. */
void parameter_grid_make(const parameter_grid *grid, abut_vec3 *vertices, int32_t *corners);

/* Writes the parameters u and v in the middle of the cell of each triangle, in the order of the triangles. */
void parameter_grid_middles(const parameter_grid *grid, double *middles);
