#pragma once

#include <abut/shape.h>

#include "io/file/error.h"

/**
 * @file mesh/pieces.h
 * Convex pieces from surface meshes: OBJ, STL (text and binary), PLY (text and both byte orders), glTF (.gltf and .glb).
 *
 * Each group of the file (OBJ o and g, STL solid, glTF node) is a piece. A group with several connected surfaces, or a file without groups, gives one piece for
 * each connected surface. Vertices at exactly equal positions are merged. A file without faces is a cloud of points: the hull of each group is a piece.
 * Coordinates stay as in the file: glTF, whose y axis points up, is not rotated.
 *
 * A piece must be closed, convex and outward. Dents within the rounding of single precision, and dents that the caller allows, are smoothed
 * (abut_shape_create_polytope). A larger dent is an error that names the dent, or is filled on request.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Mesh files larger than this are refused [bytes]. */
#define ABUT_MESH_MAX_BYTES (1024 * 1024 * 1024)

/** How a mesh file is read. Start from abut_mesh_options_default(). */
typedef struct abut_mesh_options {
    double scale;     /**< factor for the lengths of the file; > 0; default 1 */
    double tolerance; /**< dents up to this are smoothed; relative to the piece's largest extent; 0 to 1; default 1e-6 */
    bool hull;        /**< pieces that are open, inside out or not convex are replaced by their hulls instead of refused; default false */
    bool whole;       /**< one piece: the hull of all vertices; default false */
    bool
        centred; /**< the origin of each piece's shape is its centroid, and abut_mesh_piece.offset is the centroid in the file's frame; default false */
    const char *piece; /**< only the piece of this name; NULL (default) for all */
    const char
        *hull_hint; /**< how the reader of messages asks for `hull`, "--hull" for example; NULL (default): messages do not advise it */
    const char *tolerance_hint; /**< the same for `tolerance` */
    const char
        *trimesh_hint; /**< how the reader of messages asks for the mesh as a surface that need not be convex or closed; NULL likewise */
} abut_mesh_options;

/** The defaults named above. */
ABUT_API abut_mesh_options abut_mesh_options_default(void);

/** One convex piece. */
typedef struct abut_mesh_piece {
    char *
        name; /**< unique in the file: the name of the group, made unique by ".2", ".3" ...; "piece_1" and so on when the group has no name */
    abut_shape *shape; /**< a polytope */
    abut_vec3 offset;  /**< position of the shape's frame in the file's (scaled) frame; zero unless options.centred */
    double dent;       /**< depth of the largest dent that was smoothed or filled (abut_polytope_report); 0 for points [length, scaled] */
    bool filled;       /**< the shape is the hull of the piece's vertices, not its faces */
} abut_mesh_piece;

/** The pieces of a file, in its order. */
typedef struct abut_mesh_pieces {
    abut_mesh_piece *pieces; /**< [count] */
    int32_t count;
} abut_mesh_pieces;

/**
 * Reads the convex pieces of a mesh file. The ending of the file's name selects the format: .obj, .stl, .ply, .gltf, .glb, in any case.
 *
 * @param options  NULL for the defaults
 * @param pieces   receives at least one piece, to be freed with abut_mesh_destroy(); untouched on an error
 * @return ABUT_OK; ABUT_ERROR_FILE when the file is missing, unreadable, a folder or too large; ABUT_ERROR_FORMAT when its contents are malformed (counts
 *         beyond its end, indices out of range, vertices not finite, no vertices, sizes outside the range of double precision) or no piece has the requested
 *         name; ABUT_ERROR_NOT_CONVEX, ABUT_ERROR_NOT_CLOSED, ABUT_ERROR_NOT_OUTWARD, ABUT_ERROR_DEGENERATE for a piece that is refused; ABUT_ERROR_UNSUPPORTED
 *         in a build without qhull where a hull is needed; ABUT_ERROR_INVALID_ARGUMENT for NULL or options out of range; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_mesh_load(const char *path, const abut_mesh_options *options, abut_mesh_pieces **pieces, abut_error *error);

/** Frees the pieces and their references to shapes. NULL does nothing. */
ABUT_API void abut_mesh_destroy(abut_mesh_pieces *pieces);

#ifdef __cplusplus
}
#endif
