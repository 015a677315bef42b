#pragma once

#include <abut/math.h>

/*
 * The point of the unit circle at an angle: its x is the cosine and its y the sine, with the bits of the library on every machine.
 */
static inline abut_vec3 surface_turn(double angle) {
    abut_quat half = abut_quat_about(abut_vec3_make(0, 0, 1), 2.0 * angle);
    return abut_vec3_make(half.w, half.z, 0.0);
}
