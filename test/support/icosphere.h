#pragma once

#include <abut/facet.h>

/* An icosahedron, each triangle cut in four `level` times, on a sphere: 20 * 4^level facets of that sphere, outward, turned and moved by the
 * pose. To be freed with free(). */
abut_facet *icosphere_make(int level, double radius, abut_pose pose, int32_t *count);
