#pragma once

#include <abut/math.h>

#include "shape/build/corners.h"

/*
 * Regions of coplanar neighbouring faces.
 *
 * Regions grow from the largest face to the smallest. A neighbour joins when all its corners lie within `tolerance` of the plane fitted to the region. So a
 * facet joins by its position and not by its normal, which is meaningless for a sliver. Facets of a fine tessellation stay apart when they turn away from each
 * other by more than the tolerance.
 *
 * region ([face_count]) receives the number of each face's region; regions are numbered from 0 in the order of their seeds. seed ([face_count]) receives the
 * first face of each region. Returns ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status coplanar_regions(const abut_vec3 *points, const loops *faces, const corners *map, double tolerance, int32_t *region,
                             int32_t *seed, int32_t *region_count);
