#pragma once

#include "tetra/mesh/zones.h"

/*
 * Moves the vertices of every zone that has changed to their sides of its plane: from where they were when the zones began, `from`. A stuck
 * zone goes back there.
 */

/* False when there is no memory. */
bool zones_part(zones *z, joint *j, const abut_vec3 *from);
