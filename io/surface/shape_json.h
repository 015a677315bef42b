#pragma once

#include <jansson.h>

#include "io/surface/recorded_shape.h"

/*
 * A recorded shape as JSON, in the form of replay pages (docs/replay-page.md): {"kind": "box", "vertices": [x, y, z, x, ...], ...}, with the fields of
 * abut_recorded_shape that its kind has. Numbers that are not finite, such as infinite radii, become null. NULL for NULL and when there is no memory.
 */
json_t *shape_json(const abut_recorded_shape *shape);
