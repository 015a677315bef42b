#pragma once

#include <abut/math.h>

/*
 * A convex region of directions: a convex polygon on the unit sphere, inside a half-sphere. Searches for the best direction cut it by great circles through its
 * centre. Each cut takes away at least a third of it (the centre of gravity of a plane figure, B. Gruenbaum), however thin the region is.
 */

enum { DIRECTION_REGION_MOST = 24 };

typedef struct direction_region {
    abut_vec3 corner[DIRECTION_REGION_MOST]; /* unit */
    int32_t count;
    abut_vec3 pole; /* all corners have a component along it */
} direction_region;

/* Nearly the whole half-sphere about a unit direction. */
void direction_region_start(direction_region *region, abut_vec3 pole);

/* Keeps the directions d with plane . (d - through) >= 0, a half-sphere: plane . through is zero or stands for zero. In a small region the difference keeps the
 * digits that tell directions apart. False when none are left. */
bool direction_region_cut(direction_region *region, abut_vec3 plane, abut_vec3 through);

/* The centre of gravity, a unit direction. */
abut_vec3 direction_region_centre(const direction_region *region);

/* Both halves of a region, to either side of its centre. */
void direction_region_halve(const direction_region *region, abut_vec3 centre, direction_region half[2]);

/* Largest distance of a corner from the direction. */
double direction_region_radius(const direction_region *region, abut_vec3 direction);
