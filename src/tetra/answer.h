#pragma once

#include "tetra/pair.h"

/* The depth of a prepared pair: ABUT_OK, or ABUT_ERROR_NOT_FINITE, which writes nothing. settings is never NULL. */
abut_status answer_pair(const pair *p, const abut_depth_settings *settings, abut_depth *depth);

/* The same for a pair that is still to be checked and made ready. The settings are checked. */
abut_status answer_simplices(const abut_simplex *a, const abut_simplex *b, const abut_depth_settings *settings, abut_depth *depth);
