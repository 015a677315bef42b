#pragma once

#include <abut/base.h>
#include <abut/query.h>

#include "narrow/query/advance.h"

/*
 * When a moving body first touches a moving mesh. All vectors have the axes of the world; both bodies are seen from the origins of their own frames,
 * about which they turn.
 */

/* The body may be of any kind, a plane or another mesh, too. */
typedef struct mesh_cast {
    const abut_shape *body, *mesh;
    abut_mat3 body_rotation, mesh_rotation; /* at first */
    abut_vec3 body_turn, mesh_turn;         /* rotation vectors of the whole motion */
    abut_vec3 apart;                        /* from the body's origin to the mesh's at first */
    abut_vec3 travel;                       /* how that changes over the whole motion */
    double tolerance;
    normal_settings settings; /* directions with the axes of the world */
} mesh_cast;

typedef struct mesh_touch {
    advance_outcome outcome;
    double fraction;
    int32_t steps;
    abut_separation met; /* at a hit: the body as A, seen from its origin at that moment */
} mesh_touch;

/*
 * Each triangle counts by itself, and a one-sided one only where the body comes onto it from its front: one that the body comes onto from behind, or
 * goes through at the start, is let through to the end. A body that begins within the tolerance rests on the mesh, and is hit where it comes nearer to a
 * triangle, by a tenth of the tolerance, than it was to the nearest at the start: so that it may slide over flat joints.
 *
 * ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY
 */
abut_status mesh_cast_find(const mesh_cast *cast, mesh_touch *touch);
