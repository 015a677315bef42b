#pragma once

#include <abut/mesh.h>

#include "geom/packed_tree.h"

/*
 * The surface of a mesh: stored triangles, or a grid of heights whose triangles are made when they are needed. The tree of boxes finds what is near. Its items
 * are triangles, or square blocks of a grid's cells.
 */

typedef struct trimesh {
    abut_vec3 *vertices; /* [vertex_count]; NULL for a grid */
    int32_t *corners;    /* [3 triangle_count]; NULL for a grid */
    double *heights;     /* [columns * rows]; NULL for stored triangles */
    int32_t columns, rows;
    double spacing_x, spacing_y;
    int32_t vertex_count, triangle_count;
    int32_t *order; /* item of each of the tree's slots */
    int32_t item_count;
    packed_tree tree;
    double flat; /* a triangle is degenerate when it is no higher than this over its longest side [length] */
    bool two_sided, closed;
    int32_t
        *twin; /* [3 triangle_count] of the side from corner c to the next: the same side in the neighbouring triangle; NULL unless the mesh
                      is closed and one-sided */
    int32_t *piece; /* [piece_count] the lowest triangle of each connected piece of the surface; NULL where twin is */
    int32_t piece_count;
    struct convex_mesh *convex; /* the polytope with the same surface; NULL unless the mesh is closed, one-sided and convex */
    struct mesh_smooth *smooth; /* NULL unless edges are smooth that are not flat (shape/edges/mesh_smooth.h) */
    abut_shape *inside;         /* balls inside it (shape/closed/inside.h); NULL unless the mesh is closed and there is no such polytope */
} trimesh;

/* Whether a triangle is degenerate: it is no higher over its longest side than rounding error, and is treated as that side. *across receives twice its area
 * along its normal. Any frame. */
static inline bool trimesh_is_flat(const trimesh *mesh, const abut_vec3 corner[3], abut_vec3 *across) {
    const double slender = 1e-13; /* as in closest_on_triangle() */
    abut_vec3 ab = abut_sub(corner[1], corner[0]), ac = abut_sub(corner[2], corner[0]), bc = abut_sub(corner[2], corner[1]);
    double p = abut_length_squared(ab), q = abut_length_squared(ac), r = abut_length_squared(bc), longest = p > q ? p : q;
    longest = r > longest ? r : longest;
    double least = mesh->flat * mesh->flat + slender * slender * longest; /* square of a height, slightly enlarged */
    *across = abut_cross(ab, ac);
    return abut_length_squared(*across) <= least * longest;
}

/* Whether the mesh is the surface of a solid. */
static inline bool trimesh_has_inside(const trimesh *mesh) { return mesh->closed && !mesh->two_sided; }

/* A vertex, shape frame. */
static inline abut_vec3 trimesh_vertex(const trimesh *mesh, int32_t index) {
    if (mesh->vertices != NULL) {
        return mesh->vertices[index];
    }
    return abut_vec3_make(mesh->spacing_x * (index % mesh->columns), mesh->spacing_y * (index / mesh->columns), mesh->heights[index]);
}
