#pragma once

#include "tetra/lanes.h"

/* The least translation that separates a pair: its directions with the least overlap. */
typedef struct rigid {
    double overlap;   /* scaled; negative where there is room */
    abut_vec3 normal; /* unit, from B into A */
    abut_depth_direction direction;
    int feature_a, feature_b;
    abut_depth_relation relation;
} rigid;

/* What an overlap says: below the rounding of the coordinates it is none. */
abut_depth_relation rigid_relation(const pair *p, double overlap);

/* Sets the lanes' directions, heights and spans, too. */
rigid rigid_find(const pair *p, lanes *l);

/* What the direction of a lane is made from. */
abut_depth_direction rigid_direction_of(int lane, int *feature_a, int *feature_b);

abut_rigid_depth rigid_report(const pair *p, const rigid *found);
