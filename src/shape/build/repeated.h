#pragma once

#include <abut/math.h>

/* Sets map[v] of every vertex in `used` ([count], all different) to the lowest of these vertices at exactly the same place (-0 equals 0). False without
 * memory. */
bool repeated_map(const abut_vec3 *vertices, const int32_t *used, int32_t count, int32_t *map);
