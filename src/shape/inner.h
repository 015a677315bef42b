#pragma once

#include "shape/shape.h"

/* Radius of a largest ball inside the thinnest part of a shape, for a mesh that is not convex at most a tenth of the least side of its bounds: how far a body
 * must sink in before it can come out on the other side. 0 for planes [length] */
double shape_inner_radius(const abut_shape *shape);
