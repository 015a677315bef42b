#pragma once

#include "io/scene/read.h"

/*
 * The common keys of meshes, trimeshes and facetmeshes: a file or numbers, the scale, the triangles. `object` is the value of the shape's key. `what` names the
 * shape in messages.
 */

/* Whether the object names a file or gives vertices and triangles. Refuses both, neither, and a 'piece' without a file. */
abut_status scene_read_mesh_source(const scene_reader *reader, const scene_place *object, const char *what, bool *from_file);

/* Reads "file", which must be there, as a path relative to the scene's folder; to be freed. */
abut_status scene_read_mesh_path(const scene_reader *reader, const scene_place *object, char **path);

/* Reports the failure of a mesh file at the key "file". */
abut_status scene_mesh_refused(const scene_reader *reader, const scene_place *object, const char *what, abut_status status,
                               const abut_error *error);

/* Reads "scale": one number for all axes, or three numbers. None may be 0. */
abut_status scene_read_mesh_scale(const scene_reader *reader, const scene_place *object, abut_vec3 *out);
/* Reads "triangles", three vertex indices each. *triangles is to be freed, also after an error. */
abut_status scene_read_triangles(const scene_reader *reader, const scene_place *object, int32_t vertex_count, int32_t **triangles,
                                 int32_t *count);
