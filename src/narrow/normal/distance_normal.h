#pragma once

#include "narrow/normal/contact_normal.h"
#include "narrow/normal/convex.h"
#include "narrow/normal/gjk_result.h"

/* The normal of two separated bodies, from the closest points of their cores. Where a face or two edges determine the direction, it is computed from these,
 * because the difference of two close points is mostly rounding error. */
contact_normal normal_of_distance(const convex *a, const convex *b, const gjk_result *d);
