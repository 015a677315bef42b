#pragma once

#include <abut/shape.h>

/*
 * How shapes are made, published and freed.
 */

/* A shape of that kind with one reference; all other fields are zero. NULL without memory. */
abut_shape *shape_allocate(abut_kind kind);

/* Frees a shape that was never published, with everything it owns. NULL does nothing. */
void shape_free(abut_shape *shape);

/* Hands the finished shape to the caller. Its volume, its moments of inertia and products of its lengths must be ordinary numbers without overflow and
 * underflow, and it must be thicker than rounding error. Otherwise frees it, says so in the name of the
 * public function `call` and returns ABUT_ERROR_INVALID_ARGUMENT. */
abut_status shape_publish(const char *call, abut_shape *shape, abut_shape **result);

/* The same for a shape whose surface is complete and measured: takes size and bounds from the surface. */
abut_status shape_publish_polytope(const char *call, abut_shape *shape, abut_shape **result);

/* The same for a mesh whose bounds are known, and whose mass is known if it has one. */
abut_status shape_publish_mesh(const char *call, abut_shape *shape, abut_shape **result);
