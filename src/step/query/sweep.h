#pragma once

#include <abut/math.h>

/*
 * A box that moves along a segment: of a ray it is a point, of a moving shape its bounds. It tells the least fraction of the way at which it can meet another
 * box. The fraction is never above that of a hit, rounding errors included.
 */

typedef struct query_sweep {
    abut_vec3 first, last; /* what moves, from its far to its near side: a box is met from lower - first to upper - last */
    abut_vec3 inverse;     /* of the components of the translation; finite */
} query_sweep;

/* about: the moving box, relative to the origin of the way. pad: beyond the rounding errors of the coordinates, by which other boxes are grown */
query_sweep query_sweep_make(abut_vec3 origin, abut_vec3 translation, abut_aabb about, double pad);

/* 0 to 1; INFINITY when they do not meet. */
double query_sweep_bound(const query_sweep *sweep, const abut_aabb *box);
