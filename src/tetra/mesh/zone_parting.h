#pragma once

#include "tetra/mesh/zone_limit.h"

/*
 * Moves the vertices of every changed zone to their sides of its plane, starting from `from`, their positions when the zones began. A stuck
 * zone returns there.
 */

/* False when there is no memory. limit: keeps the volume ratio, and unites zones that need the same vertices; NULL for none. */
bool zones_part(zones *z, joint *j, const abut_vec3 *from, zone_limit *limit);
