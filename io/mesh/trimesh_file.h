#pragma once

#include <abut/mesh.h>

#include "io/file/error.h"

/**
 * @file mesh/trimesh_file.h
 * One triangle mesh from a mesh file: OBJ, STL (text and binary), PLY (text and both byte orders), glTF (.gltf and .glb). For convex pieces of such a file see
 * mesh/pieces.h.
 *
 * All faces of the file, or those of one group, form one surface. The reader does not join, drop or repair faces. A polygon becomes a fan of triangles about
 * its first corner, so polygons should be convex. Triangles are in the order of the file's faces. Vertices without faces are dropped. Coordinates stay as in
 * the file: glTF, whose y axis points up, is not rotated.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** How a mesh file is read. Start from abut_trimesh_options_default(). */
typedef struct abut_trimesh_options {
    abut_vec3
        scale; /**< factors for the file's coordinates, by component, none 0; default 1, 1, 1. When the scale mirrors, triangles are turned over, so
                            the outside stays outside */
    bool two_sided;      /**< triangles touch from both sides; default false */
    double smooth_angle; /**< as in abut_trimesh_def; default 0 [rad] */
    const char *piece;   /**< only the groups of this name (OBJ o and g, STL solid, glTF node); NULL (default) for all faces */
} abut_trimesh_options;

/** The defaults named above. */
ABUT_API abut_trimesh_options abut_trimesh_options_default(void);

/**
 * Reads a mesh file as a shape of kind ABUT_SHAPE_TRIMESH. The ending of the file's name, in any case, selects the format.
 *
 * @param options  NULL for the defaults
 * @param report   may be NULL; findings of the construction of the mesh, written on success only
 * @param shape    receives the shape, to be released with abut_shape_release(); untouched on an error
 * @return ABUT_OK; ABUT_ERROR_FILE when the file is missing, unreadable, a folder or too large; ABUT_ERROR_FORMAT when its contents are malformed, it has no
 *         faces, no group has the requested name, or its sizes are outside the range of double precision; ABUT_ERROR_DEGENERATE when all vertices are at one
 *         point; ABUT_ERROR_INVALID_ARGUMENT for NULL or options out of range; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_trimesh_load(const char *path, const abut_trimesh_options *options, abut_trimesh_report *report,
                                       abut_shape **shape, abut_error *error);

#ifdef __cplusplus
}
#endif
