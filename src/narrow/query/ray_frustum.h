#pragma once

#include "shape/frustum/frustum.h"

/* Where a ray enters a cylinder or a cone. */
typedef struct frustum_entry {
    double way; /* distance from the origin */
    bool inside;
    abut_vec3 normal; /* of the surface; zero inside */
    abut_feature feature;
} frustum_entry;

/*
 * The first point of a frustum on the ray origin + s along, 0 <= s <= length; `along` is unit. The frustum enlarged by `slack` decides whether the ray hits,
 * the frustum itself decides where. False, with *entry unset, when nothing is hit. Shape frame.
 */
bool ray_enter_frustum(const frustum *f, abut_vec3 origin, abut_vec3 along, double length, double slack, frustum_entry *entry);
