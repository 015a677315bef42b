/* Tetrahedral meshes made from a grid. The six tetrahedra of a cell run from one corner along the axes in all six orders, so that neighbouring cells share
 * their diagonals. */
#include "support/tetra_grid.h"

#include <math.h>
#include <stdlib.h>

/* Vertices of a bent grid repeat after `wrap` vertices along the x axis; 0: never. */
static int32_t vertex_at(const int32_t n[3], int32_t wrap, const int32_t at[3]) {
    int32_t x = wrap > 0 ? at[0] % wrap : at[0], row = wrap > 0 ? wrap : n[0] + 1;
    return x + row * (at[1] + (n[1] + 1) * at[2]);
}

static tetra_grid make(const int32_t n[3], bool bent) {
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    int32_t wrap = bent ? n[0] : 0, row = bent ? n[0] : n[0] + 1;
    tetra_grid g = {.vertex_count = row * (n[1] + 1) * (n[2] + 1), .element_count = 6 * n[0] * n[1] * n[2]};
    g.vertices = malloc((size_t)g.vertex_count * sizeof *g.vertices);
    g.elements = malloc((size_t)g.element_count * 4 * sizeof *g.elements);
    if (g.vertices == NULL || g.elements == NULL) {
        abort();
    }
    int32_t *next = g.elements;
    for (int32_t cell = 0; cell < n[0] * n[1] * n[2]; cell++) {
        for (int k = 0; k < 6; k++) {
            int32_t at[3] = {cell % n[0], cell / n[0] % n[1], cell / n[0] / n[1]};
            *next++ = vertex_at(n, wrap, at);
            for (int step = 0; step < 3; step++) {
                ++at[order[k][step]];
                *next++ = vertex_at(n, wrap, at);
            }
        }
    }
    for (int32_t v = 0; v < g.vertex_count; v++) {
        g.vertices[v] = abut_vec3_make(2.0 * (v % row) / n[0] - 1.0, 2.0 * (v / row % (n[1] + 1)) / n[1] - 1.0,
                                       2.0 * (v / row / (n[1] + 1)) / n[2] - 1.0);
    }
    return g;
}

tetra_grid tetra_grid_block(int32_t nx, int32_t ny, int32_t nz, abut_vec3 half) {
    tetra_grid g = make((const int32_t[3]){nx, ny, nz}, false);
    for (int32_t v = 0; v < g.vertex_count; v++) {
        g.vertices[v] = abut_vec3_make(half.x * g.vertices[v].x, half.y * g.vertices[v].y, half.z * g.vertices[v].z);
    }
    return g;
}

tetra_grid tetra_grid_ball(int32_t n, double radius) {
    tetra_grid g = make((const int32_t[3]){n, n, n}, false);
    for (int32_t v = 0; v < g.vertex_count; v++) {
        abut_vec3 p = g.vertices[v];
        double shell = fmax(fabs(p.x), fmax(fabs(p.y), fabs(p.z))), length = abut_length(p);
        g.vertices[v] = abut_scale(length > 0.0 ? radius * shell / length : 0.0, p);
    }
    return g;
}

tetra_grid tetra_grid_ring(int32_t around, int32_t across, double radius, double half_width) {
    tetra_grid g = make((const int32_t[3]){around, across, across}, true);
    const double pi = 3.14159265358979323846;
    for (int32_t v = 0; v < g.vertex_count; v++) {
        abut_vec3 p = g.vertices[v];
        double angle = pi * p.x, r = radius + half_width * p.y;
        g.vertices[v] = abut_vec3_make(r * cos(angle), r * sin(angle), half_width * p.z);
    }
    return g;
}

void tetra_grid_release(tetra_grid *grid) {
    free(grid->vertices);
    free(grid->elements);
}

void tetra_grid_place(tetra_grid *grid, abut_quat rotation, abut_vec3 position) {
    for (int32_t v = 0; v < grid->vertex_count; v++) {
        grid->vertices[v] = abut_add(abut_quat_rotate(rotation, grid->vertices[v]), position);
    }
}
