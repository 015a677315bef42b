#pragma once

#include "io/record/recording.h"

/* The largest distance of the points of recorded shape `index` from its origin; 0 for a plane. */
double recording_shape_radius(const abut_recording *recording, int32_t index);
