#pragma once

#include "step/world/contact_store.h"

/*
 * Contact tracking, the common baseline to compare whole patches with. Each step finds one point, the deepest. Points of earlier steps are kept and
 * moved with the bodies until they separate. A pair has up to four points, so a face gets support at its corners one after the other.
 */

/* Move the remembered points, drop those that have separated, and add the deepest contact of the step. Writes the points that are then remembered.
 * @param found    [found_count] contacts of this step
 * @param margin   points with a larger gap are dropped [length]
 * @param size     of the smaller shape [length]
 * @param contacts [TRACKING_POINTS]
 * @return number of contacts written */
int32_t tracking_update(tracking_cache *cache, abut_pose a, abut_pose b, const abut_contact *found, int32_t found_count, double margin,
                        double size, abut_contact *contacts);
