#pragma once

#include <abut/tetra_mesh.h>

/*
 * Tetrahedral meshes made from a grid of cells, each divided into six tetrahedra (H. Freudenthal, H. W. Kuhn): blocks, balls and rings, for tests and
 * benchmarks.
 */

typedef struct tetra_grid {
    abut_vec3 *vertices;
    int32_t *elements;
    int32_t vertex_count, element_count;
} tetra_grid;

/* A block from -half to half, with the given numbers of cells along each axis. */
tetra_grid tetra_grid_block(int32_t nx, int32_t ny, int32_t nz, abut_vec3 half);

/* A ball about the origin: a block with its shells of equal largest coordinate mapped to spheres. 6 n^3 elements. */
tetra_grid tetra_grid_ball(int32_t n, double radius);

/* A ring about the z axis: a bar of `across` x `across` cells in section and `around` cells in length, bent to a ring. */
tetra_grid tetra_grid_ring(int32_t around, int32_t across, double radius, double half_width);

void tetra_grid_release(tetra_grid *grid);

/* Turns, then moves. */
void tetra_grid_place(tetra_grid *grid, abut_quat rotation, abut_vec3 position);

static inline abut_tetra_mesh tetra_grid_mesh(const tetra_grid *grid) {
    return (abut_tetra_mesh){grid->vertices, grid->vertex_count, grid->elements, grid->element_count};
}
