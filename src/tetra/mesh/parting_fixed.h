#pragma once

#include "tetra/mesh/parting.h"

/* A unit normal along which the fixed points of the two sides have room for the gap between them: false when there is none (or it is less
 * than rounding). */
bool parting_between_fixed(const parting_points *points, abut_vec3 *normal);
