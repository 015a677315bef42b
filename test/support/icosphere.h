#pragma once

#include <abut/facet.h>

/* An icosahedron on a sphere, with each triangle split into four, `level` times: 20 * 4^level outward facets of that sphere, transformed by the pose.
 * Release with free(). */
abut_facet *icosphere_make(int level, double radius, abut_pose pose, int32_t *count);
