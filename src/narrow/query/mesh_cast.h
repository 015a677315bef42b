#pragma once

#include <abut/base.h>
#include <abut/query.h>

#include "narrow/query/advance.h"
#include "narrow/query/mesh_motion.h"

/*
 * The first touch of a moving body with a moving mesh, by conservative advancement. All vectors have the axes of the world. Both bodies are
 * described from their pivots, about which they turn.
 */

typedef struct mesh_touch {
    advance_outcome outcome;
    double fraction;
    int32_t steps;
    abut_separation met; /* at a hit: the body is A; relative to the body's pivot at that moment */
} mesh_touch;

/*
 * Each triangle is tested separately. A one-sided triangle stops the body only if the body approaches it from its front; triangles
 * approached from behind, or crossed at the start, never stop the motion. A body that starts within the tolerance rests on the mesh. It is
 * stopped only where its gap to some triangle falls below the smallest gap at the start by a tenth of the tolerance. So it can slide over
 * flat joints.
 *
 * With a depth, the body is stopped where it is this deep in a triangle that it enters from the front. Triangles in which it is deeper at the start do not
 * stop it.
 *
 * Returns ABUT_OK or ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status mesh_cast_find(const mesh_cast *cast, mesh_touch *touch);
