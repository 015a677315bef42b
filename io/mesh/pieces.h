#pragma once

#include <abut/shape.h>

#include "io/file/error.h"

/**
 * @file mesh/pieces.h
 * Convex pieces from surface meshes: OBJ, STL (text and binary), PLY (text and both binary orders), glTF (.gltf and .glb).
 *
 * Each group of the file (OBJ o and g, STL solid, glTF node) is a piece; a group whose faces fall apart into several connected surfaces,
 * and a file without groups, makes a piece of each of them. Vertices at exactly equal positions are one. A file without any face is a cloud
 * of points: each group's hull is a piece. Coordinates are kept as the file has them: glTF, whose y axis points up, is not turned.
 *
 * A piece must be closed, convex and outward. Dents within the rounding of single precision, and those that the caller allows, are
 * smoothed (abut_shape_create_polytope); a larger dent is an error that names it, or is filled on request.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Mesh files larger than this are refused [bytes]. */
#define ABUT_MESH_MAX_BYTES (1024 * 1024 * 1024)

/** What is made of a mesh file. Start from abut_mesh_options_default(). */
typedef struct abut_mesh_options {
    double scale;      /**< lengths of the file are multiplied by it; > 0; default 1 */
    double tolerance;  /**< dents up to this are smoothed; relative to the piece's largest extent; 0 to 1; default 1e-6 */
    bool hull;         /**< pieces that are open, inside out or not convex are replaced by their hulls instead of refused; default false */
    bool whole;        /**< one piece: the hull of all vertices; default false */
    bool centred;      /**< each piece's shape has its centroid as origin; the way back is in abut_mesh_piece.offset; default false */
    const char *piece; /**< only the piece of this name; NULL (default) for all */
    const char *hull_hint;      /**< how the reader of messages asks for `hull`, "--hull" for example; NULL (default): messages do not advise it */
    const char *tolerance_hint; /**< the same for `tolerance` */
    const char *trimesh_hint;   /**< how the reader of messages asks for the mesh as a surface that need not be convex or closed; NULL likewise */
} abut_mesh_options;

/** The defaults named above. */
ABUT_API abut_mesh_options abut_mesh_options_default(void);

/** One convex piece. */
typedef struct abut_mesh_piece {
    char *name;        /**< unique in the file: the group's, made unique by ".2", ".3" ...; "piece_1" and so on where the file has none */
    abut_shape *shape; /**< a polytope */
    abut_vec3 offset;  /**< of the shape's frame in the file's (scaled) frame; zero unless options.centred */
    double dent;       /**< what was smoothed or filled: the largest distance of a vertex beyond a face; 0 for points [length, scaled] */
    bool filled;       /**< the shape is the hull of the piece's vertices, not its faces */
} abut_mesh_piece;

/** The pieces of a file, in its order. */
typedef struct abut_mesh_pieces {
    abut_mesh_piece *pieces; /**< [count] */
    int32_t count;
} abut_mesh_pieces;

/**
 * Read the convex pieces of a mesh file. The format follows from the ending of its name: .obj, .stl, .ply, .gltf, .glb, in any case.
 *
 * @param options  NULL for the defaults
 * @param pieces   receives at least one piece, to be freed with abut_mesh_destroy(); untouched on an error
 * @return ABUT_OK; ABUT_ERROR_FILE when the file is missing, unreadable, a folder or too large; ABUT_ERROR_FORMAT when its contents are
 *         malformed (counts beyond its end, indices out of range, vertices not finite, no vertices at all, sizes beyond what can be computed
 *         with) or no piece has the asked-for name; ABUT_ERROR_NOT_CONVEX, ABUT_ERROR_NOT_CLOSED, ABUT_ERROR_NOT_OUTWARD,
 *         ABUT_ERROR_DEGENERATE for a piece that is refused; ABUT_ERROR_UNSUPPORTED in a build without qhull where a hull is needed;
 *         ABUT_ERROR_INVALID_ARGUMENT for NULL or options out of range; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_mesh_load(const char *path, const abut_mesh_options *options, abut_mesh_pieces **pieces, abut_error *error);

/** Frees the pieces and their references to shapes. NULL does nothing. */
ABUT_API void abut_mesh_destroy(abut_mesh_pieces *pieces);

#ifdef __cplusplus
}
#endif
