#pragma once

#include <jansson.h>

#include "io/surface/recorded_shape.h"

/*
 * A recorded shape as JSON, as replay pages have it (docs/formats/replay-page.md): {"kind": "box", "vertices": [x, y, z, x, ...], ...}, with the fields of
 * abut_recorded_shape that its kind has. An infinite radius is null, as is every other number that is not finite. NULL for NULL and when there is no memory.
 */
json_t *shape_json(const abut_recorded_shape *shape);
