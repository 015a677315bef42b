#pragma once

#include <abut/math.h>

/* Sets map[v] for every vertex listed in `used` ([count], all different): the lowest listed vertex at exactly the same place (-0 equals 0).
 * False when there is no memory. */
bool repeated_map(const abut_vec3 *vertices, const int32_t *used, int32_t count, int32_t *map);
