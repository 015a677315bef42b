#pragma once

#include "shape/shape.h"

/* A new shape that shares everything but its own fields with the one that it was made from, whose base it keeps a reference to. NULL without memory. */
abut_shape *shape_share(const abut_shape *shape);
