#pragma once

#include <abut/math.h>

/*
 * Twice the area vector of the triangle (a, b, c). It points to the side from which the triangle runs counter-clockwise.
 *
 * It is the cross product of the two shorter edges, made perpendicular to the longest edge. In a sliver of length l and height h, the
 * product of two edges has a rounding error of l^2, which tilts a vector of length l h. A tilt along the longest edge would matter most;
 * this removes it.
 */
static inline abut_vec3 triangle_area(abut_vec3 a, abut_vec3 b, abut_vec3 c) {
    abut_vec3 edge[3] = {abut_sub(b, a), abut_sub(c, b), abut_sub(a, c)};
    int longest = 0;
    for (int i = 1; i < 3; i++) {
        longest = abut_length_squared(edge[i]) > abut_length_squared(edge[longest]) ? i : longest;
    }
    abut_vec3 along = edge[longest];
    abut_vec3 area = abut_cross(edge[(longest + 1) % 3], edge[(longest + 2) % 3]);
    double square = abut_length_squared(along);
    return square > 0.0 ? abut_add_scaled(area, -abut_dot(area, along) / square, along) : area;
}
