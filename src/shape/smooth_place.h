#pragma once

#include <abut/math.h>

/* The point with the outward normal n, and the matrix of its radii along two directions of the tangent plane. Unit vectors, square to each
 * other, or the matrix is not one of radii. */
typedef struct smooth_place {
    abut_vec3 point;
    double r11, r12, r22;
} smooth_place;
