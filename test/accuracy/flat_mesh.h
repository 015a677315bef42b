#pragma once

#include "accuracy/accuracy.h"
#include "support/random.h"

/*
 * Flat surfaces in the plane z = 0 as triangles of many kinds: shared or repeated vertices, T-junctions, large and small triangles side by side.
 */

enum { FLAT_VERTICES = 4096, FLAT_TRIANGLES = 2048 };

typedef struct flat_mesh {
    abut_vec3 vertex[FLAT_VERTICES];
    int32_t triangle[FLAT_TRIANGLES][3], vertices, triangles;
} flat_mesh;

typedef struct flat_area {
    double x0, y0, x1, y1;
} flat_area;

/* Replaces the mesh by a random cut of a rectangle. cuts: about how often it is halved. */
void flat_mesh_fill(flat_mesh *mesh, random_state *random, flat_area area, int cuts);

/* Replaces it by strips of long triangles, some of them slivers, down to 1e-7 of the width of the area. Some triangles are cut in two at the middle of a side,
 * which makes T-junctions. */
void flat_mesh_fill_strips(flat_mesh *mesh, random_state *random, flat_area area);

/* Lifts vertices by the spacing of numbers at `size`, or sinks them by it. */
void flat_mesh_shake(flat_mesh *mesh, random_state *random, double size);

/* Adds another rectangle. */
void flat_mesh_add(flat_mesh *mesh, random_state *random, flat_area area, int cuts, bool shared);

/* Some of the triangles as a shape, scaled and then placed. */
abut_shape *flat_mesh_shape(const flat_mesh *mesh, int32_t first, int32_t count, double scale, abut_pose pose, bool two_sided);
