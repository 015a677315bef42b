#pragma once

#include <abut/shape.h>

#include "io/scene/grain/scatter.h"

/* A ball that contains a shape, in the shape's frame. That of a ball is the ball itself; that of another shape contains it. */
scatter_ball bounding_ball(const abut_shape *shape);
