#pragma once

#include <abut/world.h>

/* Whether a world can be made by the definition; if not, tells the log why, in the name of `call`.
 * ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; ABUT_ERROR_NOT_FINITE. */
abut_status world_def_check(const char *call, const abut_world_def *def);
