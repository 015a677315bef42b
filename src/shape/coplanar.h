#pragma once

#include <abut/math.h>

#include "shape/corners.h"

/*
 * Regions of coplanar neighbouring faces.
 *
 * Regions grow from the largest face to the smallest. A neighbour joins when all its corners lie within `tolerance` of the plane that is
 * fitted to the region. The position of a face decides, not its normal, because the normal of a sliver is meaningless. Faces of a fine
 * tessellation stay separate as long as they turn away from each other by more than the tolerance.
 *
 * region: [face_count], receives the region of each face. Regions count from 0 in the order of their seeds.
 * seed: [face_count], receives the first face of each region.
 * ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY.
 */
abut_status coplanar_regions(const abut_vec3 *points, const loops *faces, const corners *map, double tolerance, int32_t *region,
                             int32_t *seed, int32_t *region_count);
