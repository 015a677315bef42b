#pragma once

#include "shape/shape.h"

/* Where a ray meets the surface of a smooth body that is not convex. Shape frame. */
typedef struct curved_crossing {
    double way;       /* from the origin, >= 0 */
    abut_vec3 normal; /* outward, unit */
    int32_t triangle; /* of the stand-in, near the crossing */
} curved_crossing;

/*
 * The first crossing of the ray from the origin along a unit vector, however far. It goes inwards where the origin is outside, and outwards where it is inside.
 * False if there is none. The shape has a stand-in (narrow/curved/curved.h): the triangles that are as near to the ray as the surface may be give the starts of
 * Newton's method, so of two crossings within one triangle one may be missed. slack: crossings this far behind the origin count [length]
 */
bool ray_cross_curved(const abut_shape *shape, abut_vec3 origin, abut_vec3 along, double slack, curved_crossing *first);
