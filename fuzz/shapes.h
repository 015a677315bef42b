#pragma once

#include <abut/shape.h>

#include "bytes.h"

/*
 * Shapes and poses out of bytes: every kind of shape, of right and of wrong arguments.
 */

/* A shape, to be released; NULL where the library refused its arguments. Lengths are multiplied by `scale`. What every shape promises (its
 * documented statuses, mass, bounds, surface) is required here. */
abut_shape *shapes_read(bytes *in, double scale);

/* A pose, most of them right: on a grid, turned by quarters, or anyhow. */
abut_pose shapes_read_pose(bytes *in, double scale);

/* Of all parts; round ones and planes count as one. */
int32_t shapes_vertex_count(const abut_shape *shape);

abut_vec3 shapes_read_vec3(bytes *in, double scale);

/* To stderr: what a shape is, with all digits, as a test would have to make it. */
void shapes_describe(const char *name, const abut_shape *shape);
