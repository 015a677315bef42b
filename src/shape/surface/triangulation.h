#pragma once

#include <abut/shape.h>

#include "shape/user.h"

/*
 * The surface of a smooth body that is not convex as a closed mesh of triangles. Contacts are found on the mesh, and then made exact on the surface
 * (narrow/curved/curved.h). Shape frame.
 */

typedef struct triangulation {
    abut_shape *mesh;   /* closed, one-sided; its triangles are those of the grid, in the same order */
    double *parameters; /* [2 triangle_count] of a parametric body: u and v inside each triangle's cell; else NULL */
    double error;       /* the surface is no farther than this from the triangles, by samples of every triangle [length] */
    double cell;        /* longest side of a triangle [length] */
} triangulation;

/* Makes the triangles of a shape that is not convex. Its mass is known. *made stays NULL if the triangles in the grid do not enclose the
 * whole body: such a body meets no other one. */
abut_status triangulation_make(const abut_shape *shape, triangulation **made);
void triangulation_release(triangulation *of);
