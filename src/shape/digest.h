#pragma once

#include <stdint.h>

#include <abut/shape.h>

/* A hash of everything that defines a shape: kind, sizes, vertices, faces, radii, parts. Surfaces that the caller's functions describe
 * enter by samples. Equal for shapes made from equal data, different for almost all others. */
uint64_t shape_digest(const abut_shape *shape);
