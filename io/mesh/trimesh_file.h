#pragma once

#include <abut/mesh.h>

#include "io/file/error.h"

/**
 * @file mesh/trimesh_file.h
 * One triangle mesh from a mesh file: OBJ, STL (text and binary), PLY (text and both binary orders), glTF (.gltf and .glb). For convex
 * pieces of such a file see mesh/pieces.h.
 *
 * All faces of the file, or those of one group, are one surface: nothing is joined, dropped or mended. A polygon becomes a fan of triangles
 * about its first corner, so polygons should be convex. Triangles are in the order of the file's faces; vertices that no face uses are left
 * out. Coordinates are kept as the file has them: glTF, whose y axis points up, is not turned.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** What is made of a mesh file. Start from abut_trimesh_options_default(). */
typedef struct abut_trimesh_options {
    abut_vec3 scale;   /**< of the file's coordinates, by component, none 0; default 1, 1, 1. Where it mirrors, the outside stays outside */
    bool two_sided;    /**< triangles touch from both sides; default false */
    const char *piece; /**< only the groups of this name (OBJ o and g, STL solid, glTF node); NULL (default) for all faces */
} abut_trimesh_options;

/** The defaults named above. */
ABUT_API abut_trimesh_options abut_trimesh_options_default(void);

/**
 * Read a mesh file as a shape of kind ABUT_SHAPE_TRIMESH. The format follows from the ending of its name, in any case.
 *
 * @param options  NULL for the defaults
 * @param report   may be NULL; what was found while the mesh was made, written on success only
 * @param shape    receives the shape, to be released with abut_shape_release(); untouched on an error
 * @return ABUT_OK; ABUT_ERROR_FILE when the file is missing, unreadable, a folder or too large; ABUT_ERROR_FORMAT when its contents are
 *         malformed, it has no faces, no group has the asked-for name, or its sizes are beyond what can be computed with;
 *         ABUT_ERROR_DEGENERATE when all vertices are at one place; ABUT_ERROR_INVALID_ARGUMENT for NULL or options out of range;
 *         ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_trimesh_load(const char *path, const abut_trimesh_options *options, abut_trimesh_report *report,
                                       abut_shape **shape, abut_error *error);

#ifdef __cplusplus
}
#endif
