#pragma once

#include <abut/base.h>
#include <abut/query.h>

#include "narrow/query/advance.h"

/*
 * The first touch of a moving body with a moving mesh, by conservative advancement. All vectors have the axes of the world. Both bodies are
 * described from the origins of their own frames, about which they turn.
 */

/* The body may be of any kind, also a plane or another mesh. */
typedef struct mesh_cast {
    const abut_shape *body, *mesh;
    abut_mat3 body_rotation, mesh_rotation; /* initial */
    abut_vec3 body_turn, mesh_turn;         /* rotation vectors of the whole motion [rad] */
    abut_vec3 apart;                        /* from the body's origin to the mesh's, initially */
    abut_vec3 travel;                       /* change of `apart` over the whole motion */
    double tolerance;
    normal_settings settings; /* its directions have the axes of the world */
} mesh_cast;

typedef struct mesh_touch {
    advance_outcome outcome;
    double fraction;
    int32_t steps;
    abut_separation met; /* at a hit: the body is A; relative to the body's origin at that moment */
} mesh_touch;

/*
 * Each triangle is tested separately. A one-sided triangle stops the body only if the body approaches it from its front; triangles
 * approached from behind, or crossed at the start, never stop the motion. A body that starts within the tolerance rests on the mesh. It is
 * stopped only where its gap to some triangle falls below the smallest gap at the start by a tenth of the tolerance. So it can slide over
 * flat joints.
 *
 * Returns ABUT_OK or ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status mesh_cast_find(const mesh_cast *cast, mesh_touch *touch);
