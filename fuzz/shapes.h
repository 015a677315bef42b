#pragma once

#include <abut/shape.h>

#include "bytes.h"

/*
 * Makes shapes and poses from bytes: every kind of shape, from valid and from invalid arguments.
 */

/* A shape, to be released; NULL if the library refused its arguments. Lengths are multiplied by `scale`. The call checks the promises of every shape:
 * documented statuses, mass, bounds and surface. */
abut_shape *shapes_read(bytes *in, double scale);

/* A pose. Most are valid: on a grid, rotated by quarter turns, or random. */
abut_pose shapes_read_pose(bytes *in, double scale);

/* The number of vertices of all parts. A round part or a plane counts as one. */
int32_t shapes_vertex_count(const abut_shape *shape);

abut_vec3 shapes_read_vec3(bytes *in, double scale);

/* Prints a shape to stderr with all digits, as a test would create it. */
void shapes_describe(const char *name, const abut_shape *shape);
