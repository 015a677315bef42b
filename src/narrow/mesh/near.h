#pragma once

#include "geom/packed_tree.h"
#include "narrow/mesh/set.h"

/*
 * Finds the triangles that may contain a point, among many. The first questions look at all triangles. When the questions have cost about
 * as much as a hierarchy of boxes over the triangles, it is built. So a few questions cost no more than they must, and many questions cost
 * little more than the number of triangles that they find.
 *
 * The search changes the time and never the result: it finds every triangle within the asked distance of the point, and others.
 */

/* Triangle `index` of those to search. */
typedef const mesh_triangle *mesh_near_triangle(const void *context, int32_t index);

typedef struct mesh_near {
    mesh_near_triangle *triangle;
    const void *context;
    int32_t count;
    double reach; /* points are mostly within this of the origin, along each axis; boxes are cut there */
    int64_t left; /* triangles that may still be looked at one by one; without memory for the hierarchy there is no end */
    packed_tree tree;
    int32_t *order;
} mesh_near;

void mesh_near_init(mesh_near *near, mesh_near_triangle *triangle, const void *context, int32_t count, double reach);
void mesh_near_free(mesh_near *near);

typedef struct mesh_near_walk {
    bool all;
    int32_t end;      /* only triangles below this index are found */
    packed_leaf leaf; /* all: `first` is the next triangle; else the rest of a leaf */
    const int32_t *order;
    packed_box_walk boxes;
} mesh_near_walk;

/* Begins a search for the triangles before `end` that are within `same` of the point. */
void mesh_near_begin(mesh_near_walk *walk, mesh_near *near, abut_vec3 point, double same, int32_t end);

/* The next triangle, in any order; -1 after the last one. */
int32_t mesh_near_next(mesh_near_walk *walk);
