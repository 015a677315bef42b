#pragma once

#include "io/scene/shape.h"

/* Triangle meshes and height fields of a scene: the values of the keys "trimesh" and "heightfield". `what` names the shape in messages. */
abut_status scene_read_trimesh(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out);
abut_status scene_read_heightfield(scene_reader *reader, const scene_place *place, const char *what, scene_shape *out);

/* "scale" of a mesh: one number for all axes, or one for each; none is 0. */
abut_status scene_read_mesh_scale(const scene_reader *reader, const scene_place *object, abut_vec3 *out);
/* "triangles" over that many vertices: three corners each. *triangles is to be freed, also on an error. */
abut_status scene_read_triangles(const scene_reader *reader, const scene_place *object, int32_t vertex_count, int32_t **triangles,
                                 int32_t *count);
