#pragma once

#include "io/scene/shape.h"

/*
 * Shapes that a few numbers describe: sphere, capsule, box, ellipsoid, superquadric, cylinder, cone, prism, pyramid, plane.
 */

/* True when the key names one of them. */
bool scene_is_simple_shape(const char *key);

/* Reads the value of such a key. `place` is the value, and its step names the key. `what` names the shape in messages. */
abut_status scene_read_simple_shape(const scene_reader *reader, const scene_place *place, const char *what, scene_shape *out);
