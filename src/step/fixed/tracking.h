#pragma once

#include "step/world/world.h"

/*
 * Contact tracking, the common baseline to compare whole patches with: every step finds one point, the deepest; points of the steps
 * before are kept and moved with the bodies until they come apart. Up to four, so that a face comes to stand on its corners one after
 * the other.
 */

/* Move the remembered points, drop those that have parted, add the deepest of the step's contacts. Writes what is now remembered.
 * @param found    [found_count] contacts of this step
 * @param margin   points with a larger gap are dropped [length]
 * @param size     of the smaller shape [length]
 * @param contacts [TRACKING_POINTS]
 * @return how many were written */
int32_t tracking_update(tracking_cache *cache, abut_pose a, abut_pose b, const abut_contact *found, int32_t found_count, double margin,
                        double size, abut_contact *contacts);
