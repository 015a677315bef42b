#pragma once

#include "io/scene/read.h"

/* With the dem and the event stepper: warns of dynamic bodies that begin, or come, behind an open mesh that touches from its front only. ABUT_OK;
 * ABUT_ERROR_OUT_OF_MEMORY. */
abut_status scene_check_behind(scene_reader *reader);
