#pragma once

#include <abut/shape.h>

#include "io/file/error.h"

/*
 * Make a smooth body from implicit:[KEY=VALUE:]...FORMULA or parametric:[KEY=VALUE:]...X;Y;Z. Keys that the kind does not have are parameters of the formulas.
 * ABUT_OK; ABUT_ERROR_INVALID_ARGUMENT; a status of the function that makes the shape.
 */
abut_status formula_argument_read(const char *text, abut_shape **shape, abut_error *error);
