#pragma once

#include <abut/query.h>

/* What abut_ray_cast() refuses whatever the shape, with a message for the log: vectors that are not finite, a length that overflows, a translation of zero. */
abut_status ray_check(const char *call, abut_vec3 origin, abut_vec3 translation);
