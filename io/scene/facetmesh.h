#pragma once

#include "io/scene/shape.h"

/* Bodies of rounded triangles of a scene: the value of the key "facetmesh". `what` names the shape in messages. */
abut_status scene_read_facetmesh(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out);
