#pragma once

#include <abut/query.h>

#include "step/event/system.h"

/*
 * Witnesses ([B90] section 8): planes that separate two convex parts while these move. A plane is fixed in one of the parts, for example as
 * one of its faces, or it is parallel to an edge of each, or it is fixed in the world.
 */

/* The gap of the parts along the plane's normal at these places, negative if the plane does not separate them; -INFINITY without a
 * plane. */
double event_witness_gap(const event_witness *witness, const event_part *const part[2], const event_place *const place[2]);

/* Chooses a witness from the closest points of parts that are apart at `end`. Among the planes of their features it is the one with the
 * largest gap at both ends of a step. */
event_witness event_witness_choose(const abut_separation *found, const event_part *const part[2], const event_place *const begin[2],
                                   const event_place *const end[2]);
