#pragma once

#include "narrow/mesh/index/planes.h"
#include "narrow/mesh/set.h"

/*
 * Finds the triangles of a set that lie in the plane of a triangle, facing either way. After some questions an index of the planes is made;
 * before, all triangles of the set are found. The search changes the time and never the result, because the caller tests what it finds.
 */

typedef struct mesh_parts {
    const mesh_set *set;
    double same; /* heights that differ by this are equal [length] */
    mesh_planes planes;
    bool made;
    int32_t left; /* questions until the index is made */
} mesh_parts;

void mesh_parts_init(mesh_parts *parts, const mesh_set *set, double same);
void mesh_parts_free(mesh_parts *parts);

typedef struct mesh_parts_walk {
    mesh_parts *parts;
    abut_vec3 normal, point;
    int32_t next; /* without an index */
    int side;     /* with an index: 0 facing as the triangle, 1 the other way */
    cells_walk in;
} mesh_parts_walk;

void mesh_parts_begin(mesh_parts_walk *walk, mesh_parts *parts, const mesh_triangle *t);

/* The next triangle of the set, in any order; -1 after the last one. */
int32_t mesh_parts_next(mesh_parts_walk *walk);
