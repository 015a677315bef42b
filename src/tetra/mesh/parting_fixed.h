#pragma once

#include "tetra/mesh/parting.h"

/* A unit normal along which the fixed points of the two sides leave room for the gap. False when there is none, or the room is within
 * rounding error. */
bool parting_between_fixed(const parting_points *points, abut_vec3 *normal);
