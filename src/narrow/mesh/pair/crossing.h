#pragma once

#include "geom/triangles.h"
#include "narrow/mesh/surface.h"

/*
 * The pairs of triangles of two surfaces that share a point, decided exactly for the placed vertices. Set frame.
 */

typedef struct crossing_pair {
    mesh_triangle a, b;
    triangles_gap gap; /* with a as P; without a direction */
} crossing_pair;

typedef struct crossing_pairs {
    crossing_pair *items; /* sorted by the triangles of A, then of B */
    int32_t count, capacity;
    bool out_of_memory;
} crossing_pairs;

/* a: one mesh; b: one or several. */
void crossing_find(crossing_pairs *found, const placed_mesh *a, const mesh_surface *b);
void crossing_free(crossing_pairs *pairs);
