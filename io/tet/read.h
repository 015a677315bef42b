#pragma once

#include <abut/tetra_mesh.h>

#include "io/file/error.h"

/**
 * @file tet/read.h
 * Tetrahedral meshes from files: Gmsh (.msh, versions 2.0 to 2.2 and 4.1, text and binary in both byte orders), TetGen (.node and .ele,
 * either names both) and legacy VTK (.vtk, UNSTRUCTURED_GRID, versions 2.0 to 5.1, text and binary).
 *
 * What is kept: the elements that are tetrahedra, in the file's order, and the vertices that they use, in the file's order. Of tetrahedra
 * of higher order the four corners are kept: curved sides become flat. Points, lines, triangles and other cells are passed over, and so is
 * everything else that a file may hold (names, boundary conditions, results). Elements of a type whose number of nodes is not known
 * (Gmsh's polygons and polyhedra) are refused.
 *
 * Elements are taken as the file winds them. Those that are inside out or flat are counted, not changed: abut/tetra.h takes both.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Files larger than this are refused [bytes]. */
#define ABUT_TETFILE_MAX_BYTES (1024 * 1024 * 1024)

/** A mesh that was read, and what its parts are called in the file. */
typedef struct abut_tetfile {
    abut_vec3 *vertices;   /**< [vertex_count] finite; every one is a corner of some element */
    int64_t *vertex_tags;  /**< [vertex_count] the file's numbers of them: Gmsh's node tags, TetGen's first column; VTK's count from 0 */
    int32_t vertex_count;  /**< at least 1 */
    int32_t *elements;     /**< [4 element_count] indices into vertices */
    int64_t *element_tags; /**< [element_count] the file's numbers of them; VTK's count all cells from 0 */
    /**
     * [element_count] which part each is of. Gmsh: the physical group (0: in none), or, in a file whose tetrahedra are in no group, the
     * geometric entity; TetGen: the first attribute, 0 where that is not a whole number. NULL: the file tells no parts apart.
     */
    int32_t *regions;
    int32_t element_count; /**< at least 1 */
    /**
     * Elements of negative volume: dot(cross(q - p, r - p), s - p) < 0 for corners p, q, r, s. Where all are, the file winds them the other
     * way; where some are, these are inside out.
     */
    int32_t inverted_count;
    int32_t flat_count;   /**< elements whose volume rounding cannot tell from zero; not among the inverted */
    int64_t unused_count; /**< vertices that were left out because no tetrahedron uses them */
    int64_t other_count;  /**< cells that were passed over because they are no tetrahedra */
} abut_tetfile;

/**
 * Read the tetrahedra of a file. The format follows from the ending of its name: .msh, .node, .ele, .vtk, in any case.
 *
 * @param file   receives the mesh, to be freed with abut_tetfile_destroy(); untouched on an error
 * @param error  its message begins with "FILE:LINE: " for text, "FILE: byte N: " for binary files
 * @return ABUT_OK; ABUT_ERROR_FILE when the file (or its partner .node, .ele) is missing, unreadable, a folder or too large;
 *         ABUT_ERROR_FORMAT when its contents are malformed (counts beyond its end, indices of no vertex, vertices that are not finite,
 *         numbers given to two vertices, elements of unknown type, unknown version, cut off) or there are no tetrahedra in it;
 *         ABUT_ERROR_INVALID_ARGUMENT for NULL; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_tetfile_load(const char *path, abut_tetfile **file, abut_error *error);

/** What was read, for the functions of abut/tetra_mesh.h; valid as long as the file is. */
static inline abut_tetra_mesh abut_tetfile_mesh(const abut_tetfile *file) {
    abut_tetra_mesh mesh = {file->vertices, file->vertex_count, file->elements, file->element_count};
    return mesh;
}

/** NULL does nothing. */
ABUT_API void abut_tetfile_destroy(abut_tetfile *file);

#ifdef __cplusplus
}
#endif
