#pragma once

#include <abut/baseline.h>

#include "narrow/mesh/set.h"

/* Corners that two triangles share by their names: by the indices of their vertices within one mesh, or by their positions, bit for bit. */

static inline bool mesh_same_vertex(const mesh_triangle *s, int i, const mesh_triangle *t, int k, abut_mesh_identity identity) {
    if (identity == ABUT_MESH_BY_INDEX) {
        return s->part == t->part && s->vertex[i] == t->vertex[k];
    }
    return s->corner[i].x == t->corner[k].x && s->corner[i].y == t->corner[k].y && s->corner[i].z == t->corner[k].z;
}

/* The corner of t that is corner i of s; -1 for none. */
static inline int mesh_corner_at(const mesh_triangle *s, int i, const mesh_triangle *t, abut_mesh_identity identity) {
    for (int k = 0; k < 3; ++k) {
        if (mesh_same_vertex(s, i, t, k, identity)) {
            return k;
        }
    }
    return -1;
}
