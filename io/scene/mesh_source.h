#pragma once

#include "io/scene/read.h"

/*
 * What the keys of meshes, trimeshes and facetmeshes have in common: a file or numbers, the scale, the triangles. `object` is the value of the shape's key,
 * `what` names the shape in messages.
 */

/* Whether the object names a file or gives vertices and triangles. Refuses both, neither, and a 'piece' without a file. */
abut_status scene_read_mesh_source(const scene_reader *reader, const scene_place *object, const char *what, bool *from_file);

/* The path of "file", which must be there, as seen from the scene's folder; to be freed. */
abut_status scene_read_mesh_path(const scene_reader *reader, const scene_place *object, char **path);

/* The failure of a mesh file as a message at "file". */
abut_status scene_mesh_refused(const scene_reader *reader, const scene_place *object, const char *what, abut_status status,
                               const abut_error *error);

/* "scale" of a mesh: one number for all axes, or one for each; none is 0. */
abut_status scene_read_mesh_scale(const scene_reader *reader, const scene_place *object, abut_vec3 *out);
/* "triangles" over that many vertices: three corners each. *triangles is to be freed, also on an error. */
abut_status scene_read_triangles(const scene_reader *reader, const scene_place *object, int32_t vertex_count, int32_t **triangles,
                                 int32_t *count);
