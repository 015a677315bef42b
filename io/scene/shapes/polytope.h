#pragma once

#include "io/scene/shape.h"

/* Convex polytopes of a scene: the values of the keys "hull" and "polytope". `what` names the shape in messages. */
abut_status scene_read_hull(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out);
abut_status scene_read_polytope(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out);
