#pragma once

#include <stdint.h>

#include <abut/shape.h>

/* A number made from all that a shape is: kind, sizes, vertices, faces, radii, parts. Surfaces that the caller's functions describe are known by their samples.
 * Equal for shapes that were made alike, different for almost all others. */
uint64_t shape_digest(const abut_shape *shape);
