#pragma once

#include <abut/math.h>

/* The point of a smooth surface with the outward normal n, and the matrix of its radii of curvature along two directions of the tangent plane. The
 * directions must be unit and orthogonal. */
typedef struct smooth_place {
    abut_vec3 point;
    double r11, r12, r22;
} smooth_place;
