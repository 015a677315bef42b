/* Rotations that need a sine. All other functions of quaternions are inline. */
#include <abut/math.h>

#include "base/elementary.h"

abut_quat abut_quat_about(abut_vec3 axis, double angle) {
    double sine, cosine;
    elementary_sin_cos(0.5 * angle, &sine, &cosine);
    return abut_quat_make(sine * axis.x, sine * axis.y, sine * axis.z, cosine);
}
