#pragma once

#include "narrow/seam/still.h"

/*
 * What stands still around the contacts of a pair. It is looked up by place, so a body on thousands of others takes time for those near each contact only.
 */

/* What surrounds a still body. All in the pair's frame but `others`. */
typedef struct surroundings {
    const still_bodies *others; /* NULL for none: then the parts of a compound are the one surface */
    const abut_shape *still;
    abut_mat3 rotation; /* of the still body */
    abut_vec3 position;
    still_solid all; /* all parts near a point of `box`, its own included */
    abut_aabb box;
} surroundings;

/* Gathers the parts near the points of a box. surroundings_release() must follow. */
surroundings surroundings_in(const still_bodies *others, const abut_shape *still, abut_mat3 rotation, abut_vec3 position,
                             const still_scale *scale, abut_aabb box);

/* Makes `solid` the parts near a point, but for the part `own` of the still body. The point need not lie in the box. */
void surroundings_pick(const surroundings *around, int32_t own, abut_vec3 point, still_solid *solid);

void surroundings_release(surroundings *around);
