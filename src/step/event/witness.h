#pragma once

#include <abut/query.h>

#include "step/event/system.h"

/*
 * Planes that hold two convex parts apart while they move ([B90] section 8). A plane is fixed in one of the parts, where it is one of its faces, or lies along
 * an edge of each.
 */

/* How far the plane holds them apart at these places; -INFINITY without one. */
double event_witness_gap(const event_witness *witness, const event_part *const part[2], const event_place *const place[2]);

/* From the closest points of parts that are apart at `end`: of the planes that their features give the one that holds them apart most at both ends of a
 * step. */
event_witness event_witness_choose(const abut_separation *found, const event_part *const part[2], const event_place *const begin[2],
                                   const event_place *const end[2]);
