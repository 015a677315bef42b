#pragma once

#include <abut/world.h>

/* Whether a world can be made by the definition. ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE. */
abut_status world_def_check(const abut_world_def *def);
