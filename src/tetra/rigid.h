#pragma once

#include "tetra/lanes.h"

/* The smallest translation that separates a pair: the direction with the smallest overlap. */
typedef struct rigid {
    double overlap;   /* scaled; negative where there is a gap */
    abut_vec3 normal; /* unit, from B into A */
    abut_depth_direction direction;
    int feature_a, feature_b;
    abut_depth_relation relation;
} rigid;

/* The relation for an overlap; below the rounding error of the coordinates it counts as zero. */
abut_depth_relation rigid_relation(const pair *p, double overlap);

/* Also sets the lanes' directions, heights and spans. */
rigid rigid_find(const pair *p, lanes *l);

/* The features that form the direction of a lane. */
abut_depth_direction rigid_direction_of(int lane, int *feature_a, int *feature_b);

abut_rigid_depth rigid_report(const pair *p, const rigid *found);
