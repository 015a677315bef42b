#pragma once

#include <abut/math.h>

/*
 * Gauss cells: the directions for which a feature of a convex body is extreme. A cell is a convex spherical polygon: the outward normals of
 * the faces around the feature, in cyclic order. One direction for a face, the two ends of an arc for an edge, three or more for a vertex.
 */

typedef struct gauss_cell {
    abut_vec3 *corners; /* [capacity] unit */
    int32_t count;
    int32_t capacity;
} gauss_cell;

/* Keeps the part of the cell with side . m <= 0. The buffer needs room for one more corner than the cell has. A corner within `tolerance`
 * (sine of the angle) of the boundary counts as on it. An empty cell stays empty. */
void gauss_cell_clip(gauss_cell *cell, abut_vec3 side, double tolerance);

/* The mean direction of the cell: the unit mean of its corners. Zero for an empty cell. */
abut_vec3 gauss_cell_mean(const gauss_cell *cell);
