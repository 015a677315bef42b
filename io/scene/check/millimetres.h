#pragma once

#include "io/scene/read.h"

/* Warns of walls from STL files without a "scale" that are a thousand times larger than the largest body that moves. ABUT_OK; ABUT_ERROR_OUT_OF_MEMORY. */
abut_status scene_check_millimetres(scene_reader *reader);
