#pragma once

#include <abut/contact.h>
#include <abut/math.h>

/* Closest points of two cores, pair's frame. The radii play no part. */
typedef struct gjk_result {
    double distance;     /* 0 when the cores meet */
    abut_vec3 direction; /* unit, from A to B; zero when the cores meet */
    abut_vec3 on_a, on_b;
    abut_feature feature_a, feature_b; /* of the cores: the smallest features that hold the points; kind NONE when that is unclear */
    bool robust; /* the points are unique, lie well inside their features, and were computed from the features alone */
    int32_t supports;
} gjk_result;
