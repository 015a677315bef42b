#pragma once

#include <abut/tetra_mesh.h>

#include "base/real.h"

/*
 * Validation and element access of tetrahedral meshes.
 */

enum { MESH_MOST_ELEMENTS = (1 << 29) - 1 };

/* The checks tell the log what they refuse, in the name of the public function `call`. */

/* Counts must be in range, arrays present, and every index that of a vertex; else ABUT_ERROR_INVALID_ARGUMENT. b may be NULL. */
abut_status mesh_check(const char *call, const abut_tetra_mesh *a, const abut_tetra_mesh *b);

/* No coordinate may exceed this bound (DBL_MAX or less); else ABUT_ERROR_NOT_FINITE. b may be NULL. */
abut_status mesh_check_finite(const char *call, const abut_tetra_mesh *a, const abut_tetra_mesh *b, double most);

/* Up to this bound, coordinates can be subtracted from each other. */
static const double mesh_most_to_subtract = 0x1p1020;

static inline abut_simplex mesh_element(const abut_tetra_mesh *mesh, int32_t element) {
    const int32_t *at = &mesh->elements[4 * (int64_t)element];
    return abut_simplex_make_tetra(mesh->vertices[at[0]], mesh->vertices[at[1]], mesh->vertices[at[2]], mesh->vertices[at[3]]);
}

/* Six times the volume, with the sign of its winding. Lengths are multiplied by a unit, so that their products are finite. */
static inline double mesh_volume(const abut_tetra_mesh *mesh, int32_t element, double unit) {
    const abut_simplex t = mesh_element(mesh, element);
    abut_vec3 edge[3];
    for (int i = 0; i < 3; i++) {
        edge[i] = abut_scale(unit, abut_sub(t.vertex[i + 1], t.vertex[0]));
    }
    return abut_dot(edge[0], abut_cross(edge[1], edge[2]));
}

static inline void mesh_box_include(abut_aabb *box, abut_vec3 p) {
    box->lower = abut_vec3_make(real_min(box->lower.x, p.x), real_min(box->lower.y, p.y), real_min(box->lower.z, p.z));
    box->upper = abut_vec3_make(real_max(box->upper.x, p.x), real_max(box->upper.y, p.y), real_max(box->upper.z, p.z));
}

static inline abut_aabb mesh_box(const abut_tetra_mesh *mesh, int32_t element) {
    const int32_t *at = &mesh->elements[4 * (int64_t)element];
    abut_aabb box = {mesh->vertices[at[0]], mesh->vertices[at[0]]};
    for (int i = 1; i < 4; i++) {
        mesh_box_include(&box, mesh->vertices[at[i]]);
    }
    return box;
}

static inline bool mesh_boxes_meet(const abut_aabb *p, const abut_aabb *q) {
    return (p->lower.x <= q->upper.x) & (q->lower.x <= p->upper.x) & (p->lower.y <= q->upper.y) & (q->lower.y <= p->upper.y) &
           (p->lower.z <= q->upper.z) & (q->lower.z <= p->upper.z);
}

/* True when two elements of one mesh share a vertex. */
static inline bool mesh_share_vertex(const abut_tetra_mesh *mesh, int32_t p, int32_t q) {
    const int32_t *u = &mesh->elements[4 * (int64_t)p], *v = &mesh->elements[4 * (int64_t)q];
    bool share = false;
    for (int i = 0; i < 4; i++) {
        share |= (u[i] == v[0]) | (u[i] == v[1]) | (u[i] == v[2]) | (u[i] == v[3]);
    }
    return share;
}
