#pragma once

#include <abut/query.h>

/* What abut_ray_cast() refuses whatever the shape, with a message for the log: vectors that are not finite, a length that overflows, a translation of zero.
 * names: of the origin and the translation, as the caller of the call writes them */
abut_status ray_check(const char *call, const char *const names[2], abut_vec3 origin, abut_vec3 translation);
