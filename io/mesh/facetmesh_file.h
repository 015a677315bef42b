#pragma once

#include <abut/facetmesh.h>

#include "io/file/error.h"

/**
 * @file mesh/facetmesh_file.h
 * A body of rounded triangles from a mesh file: OBJ, STL (text and binary), PLY (text and both byte orders), glTF (.gltf and .glb).
 *
 * All faces of the file, or those of one group, form one closed surface. The reader does not join, drop or repair faces. A polygon becomes a fan of triangles
 * about its first corner. Triangles are in the order of the file's faces. Coordinates stay as in the file: glTF, whose y axis points up, is not rotated.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** The radius of curvature of the triangles of a group (OBJ o and g, STL solid, glTF node). */
typedef struct abut_group_radius {
    const char *group; /**< its name */
    double radius;     /**< > 0, INFINITY for flat, 0: estimated [length] */
} abut_group_radius;

/** How a mesh file is read. Start from abut_facetmesh_options_default(). */
typedef struct abut_facetmesh_options {
    /**
     * factors for the file's coordinates, by component, none 0; default 1, 1, 1. When the scale mirrors, triangles are turned over, so the
     * outside stays outside. Radii are not scaled
     */
    abut_vec3 scale;
    const char *piece; /**< only the groups of this name; NULL (default) for all faces */
    double
        radius; /**< radius of curvature of all triangles without a radius of their own: > 0, INFINITY for flat, 0 (default): estimated, see
                        abut_shape_create_facetmesh() [length] */
    const double *
        radii; /**< [radii_count] radius of each triangle, in the file's order, with the values of `radius`; NULL (default) for none [length] */
    int32_t radii_count;
    const double *
        cross_radii; /**< [radii_count] as in abut_facetmesh_def, with `radii` of which none is estimated; NULL (default): round [length] */
    const abut_vec3 *directions;     /**< [radii_count] as in abut_facetmesh_def, of the scaled mesh; NULL (default) */
    double lip_radius;               /**< as in abut_facetmesh_def; default 0: sharp [length] */
    bool principal;                  /**< estimated radii: both principal curvatures; default false: their mean */
    const abut_group_radius *groups; /**< [group_count] radii of groups; NULL (default) for none */
    int32_t group_count;
} abut_facetmesh_options;

/** The defaults named above. */
ABUT_API abut_facetmesh_options abut_facetmesh_options_default(void);

/**
 * Reads a mesh file as a shape of kind ABUT_SHAPE_FACETMESH. The ending of the file's name, in any case, selects the format.
 *
 * @param options  NULL for the defaults
 * @param report   may be NULL; findings of the construction of the body, written on success only
 * @param shape    receives the shape, to be released with abut_shape_release(); untouched on an error
 * @return ABUT_OK; ABUT_ERROR_FILE when the file is missing, unreadable, a folder or too large; ABUT_ERROR_FORMAT when its contents are malformed, it has no
 *         faces, a group is not in it, radii_count is not the number of its triangles, or its sizes are outside the range of double precision;
 *         ABUT_ERROR_NOT_CLOSED, ABUT_ERROR_NOT_OUTWARD, ABUT_ERROR_DEGENERATE for a surface that is refused; ABUT_ERROR_INVALID_ARGUMENT for NULL or options
 *         out of range; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_facetmesh_load(const char *path, const abut_facetmesh_options *options, abut_facetmesh_report *report,
                                         abut_shape **shape, abut_error *error);

#ifdef __cplusplus
}
#endif
