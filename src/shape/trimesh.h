#pragma once

#include <abut/mesh.h>

#include "shape/trimesh_data.h"

/*
 * The surface of a mesh: stored triangles, or a grid of heights whose triangles are made on demand. Queries use the hierarchy of boxes; its
 * items are triangles, or square blocks of a grid's cells.
 */

typedef struct trimesh {
    abut_vec3 *vertices; /* [vertex_count]; NULL for a grid */
    int32_t *corners;    /* [3 triangle_count]; NULL for a grid */
    double *heights;     /* [columns * rows]; NULL for stored triangles */
    int32_t columns, rows;
    double spacing_x, spacing_y;
    int32_t vertex_count, triangle_count;
    int32_t *order; /* the item of each slot of the hierarchy */
    int32_t item_count;
    packed_tree tree;
    double flat; /* a triangle whose height over its longest side is at most this has no face [length] */
    bool two_sided, closed;
} trimesh;

/* True when a triangle has no face: its height over its longest side is within rounding error. It then stands for that side. *across
 * receives twice its area along its normal. Any frame. */
static inline bool trimesh_is_flat(const trimesh *mesh, const abut_vec3 corner[3], abut_vec3 *across) {
    const double slender = 1e-13; /* the same limit as in closest_on_triangle() */
    abut_vec3 ab = abut_sub(corner[1], corner[0]), ac = abut_sub(corner[2], corner[0]), bc = abut_sub(corner[2], corner[1]);
    double p = abut_length_squared(ab), q = abut_length_squared(ac), r = abut_length_squared(bc), longest = p > q ? p : q;
    longest = r > longest ? r : longest;
    double least = mesh->flat * mesh->flat + slender * slender * longest; /* square of a height, slightly enlarged */
    *across = abut_cross(ab, ac);
    return abut_length_squared(*across) <= least * longest;
}

/* A vertex, shape frame. */
static inline abut_vec3 trimesh_vertex(const trimesh *mesh, int32_t index) {
    if (mesh->vertices != NULL) {
        return mesh->vertices[index];
    }
    return abut_vec3_make(mesh->spacing_x * (index % mesh->columns), mesh->spacing_y * (index / mesh->columns), mesh->heights[index]);
}

/* Triangle `index`, shape frame. */
void trimesh_triangle(const trimesh *mesh, int32_t index, abut_triangle *triangle);

/* Called for a triangle; false ends the search. */
typedef bool trimesh_visit(void *context, int32_t index, const abut_triangle *triangle);

/* Visits every triangle whose bounds meet the box (shape frame), touching included. False when visit ended it. */
bool trimesh_in_box(const trimesh *mesh, abut_aabb box, trimesh_visit *visit, void *context);

/* Visits every triangle whose bounds are within the radius of the point (shape frame). */
bool trimesh_in_ball(const trimesh *mesh, abut_vec3 centre, double radius, trimesh_visit *visit, void *context);

/* Visits every triangle of a leaf of the hierarchy. False when visit ended it. */
bool trimesh_of_leaf(const trimesh *mesh, packed_leaf leaf, trimesh_visit *visit, void *context);

/* Called for a triangle that may be nearer than the limit, which it may lower. The limit is a fraction of a ray's way, or a distance. */
typedef void trimesh_approach(void *context, int32_t index, const abut_triangle *triangle, double *limit);

/* Visits every triangle whose bounds the ray meets before the limit, which is a fraction of the way and 1 at its end. Visits nearly in the order of the ray. */
void trimesh_along(const trimesh *mesh, abut_vec3 origin, abut_vec3 way, double limit, trimesh_approach *approach, void *context);

/* Visits every triangle whose bounds are no farther from the point than the limit, nearly in the order of distance. */
void trimesh_near(const trimesh *mesh, abut_vec3 point, double limit, trimesh_approach *approach, void *context);

/* Visits every triangle with a vertex x for which direction . x >= height, and possibly more. */
bool trimesh_above(const trimesh *mesh, abut_vec3 direction, double height, trimesh_visit *visit, void *context);

/* Whether a ball (shape frame) may contain something of interest. */
typedef bool trimesh_keep(void *context, abut_vec3 centre, double radius);

/* Visits every triangle in such a ball, and possibly more. `keep` is asked about ever smaller balls. */
bool trimesh_where(const trimesh *mesh, trimesh_keep *keep, trimesh_visit *visit, void *context);

/* The vertex of a triangle that is farthest along the direction; the lowest index on ties. */
int32_t trimesh_farthest(const trimesh *mesh, abut_vec3 direction);

/* The number of bytes that the surface takes, at most. */
size_t trimesh_bytes(const trimesh *mesh);

void trimesh_release(trimesh *mesh);
