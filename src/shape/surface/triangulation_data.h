#pragma once

#include <abut/shape.h>

/*
 * The triangles that stand for the surface of a smooth body that is not convex: see triangulation.h.
 */

typedef struct triangulation {
    abut_shape *mesh;   /* closed, one-sided; its triangles are those of the grid, in the same order */
    double *parameters; /* [2 triangle_count] of a parametric body: u and v inside each triangle's cell; else NULL */
    int32_t *at_vertex; /* [vertex_count of the mesh] a triangle at the vertex; -1 for a vertex without triangles */
    double error;       /* the surface is no farther than this from the triangles, by samples of every triangle [length] */
    double cell;        /* longest side of a triangle [length] */
    double thickness;   /* of the thinnest place, up to four cells: thickness.h [length] */
} triangulation;
