#pragma once

#include <abut/math.h>

/* map[v] of every vertex listed in `used` ([count], all different): the lowest of them at exactly the same place (-0 is 0). False when
 * there is no memory. */
bool repeated_map(const abut_vec3 *vertices, const int32_t *used, int32_t count, int32_t *map);
