#pragma once

#include "narrow/normal/frustum/stratum.h"

/* Two features that are extreme along a direction, and two of their points that face each other along it. Pair's frame. */
typedef struct frustum_pair {
    abut_vec3 direction; /* unit, from A to B */
    double height;       /* of both bodies along the direction: the negative gap of the cores */
    abut_vec3 on_a, on_b;
    double aside; /* distance of on_a from the point that faces on_b exactly */
    abut_feature feature_a, feature_b;
} frustum_pair;

/* Finds points that face each other; the direction of *pair and its height are given. */
void facing_find(const stratum *a, const stratum *b, frustum_pair *pair);
