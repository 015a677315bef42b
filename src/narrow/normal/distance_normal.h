#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"
#include "narrow/normal/gjk_result.h"

/* Bodies apart, from the closest points of their cores: the direction of the distance, exactly where a face or edges make it. The
 * difference of two points that are close to each other is mostly rounding. */
contact_normal normal_of_distance(const convex *a, const convex *b, const gjk_result *d);
