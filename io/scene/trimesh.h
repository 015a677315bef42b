#pragma once

#include "io/scene/shape.h"

/* Triangle meshes and height fields of a scene: the values of the keys "trimesh" and "heightfield". `what` names the shape in messages. */
abut_status scene_read_trimesh(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out);
abut_status scene_read_heightfield(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out);
