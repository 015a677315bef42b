#pragma once

#include <abut/shape.h>

/*
 * How shapes are made, handed out and freed.
 */

/* A shape of that kind with one reference, everything else zero; NULL when there is no memory. */
abut_shape *shape_allocate(abut_kind kind);

/* Frees a shape that was never handed out, with what it owns. NULL does nothing. */
void shape_free(abut_shape *shape);

/* Hands the finished shape to the caller when its volume, its moments of inertia and products of its lengths are ordinary numbers (no
 * overflow, no underflow) and it is not thinner than rounding; else frees it and returns ABUT_ERROR_INVALID_ARGUMENT. */
abut_status shape_publish(abut_shape *shape, abut_shape **result);

/* The same for a shape whose surface is complete and measured: size and bounds are taken from it. */
abut_status shape_publish_polytope(abut_shape *shape, abut_shape **result);

/* The same for a mesh, whose bounds are known, and its mass if it has one. */
abut_status shape_publish_mesh(abut_shape *shape, abut_shape **result);
