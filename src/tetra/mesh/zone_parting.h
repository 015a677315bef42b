#pragma once

#include "tetra/mesh/zones.h"

/*
 * Moves the vertices of every changed zone to their sides of its plane, starting from `from`, their positions when the zones began. A stuck
 * zone returns there.
 */

/* False when there is no memory. */
bool zones_part(zones *z, joint *j, const abut_vec3 *from);
