#pragma once

#include <abut/tetra_mesh.h>

#include "io/file/error.h"

/**
 * @file tet/read.h
 * Tetrahedral meshes from files: Gmsh (.msh, versions 2.0 to 2.2 and 4.1, text and binary in both byte orders), TetGen (.node and .ele, either name stands for
 * both), VTK (unstructured grids: legacy .vtk, versions 2.0 to 5.1, text and binary; .vtu, text, base64 and appended, in both byte orders, in a build with
 * recordings also compressed with zlib), Medit (.mesh, text) and Abaqus (.inp).
 *
 * The result holds the tetrahedral elements and the vertices that they use, both in the file's order. Tetrahedra of higher order keep their four corners:
 * curved sides become flat. Points, lines, triangles and other cells are skipped, and so are names, boundary conditions and results. Elements of types without
 * a known number of nodes (Gmsh's polygons and polyhedra) are refused.
 *
 * Parts of an Abaqus file are read where they stand. Instances that move their part are refused, and so are included files and generated nodes or elements.
 *
 * Elements keep the winding of the file. Elements that are inside out or flat are counted, not changed: abut/tetra.h accepts both.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Files larger than this are refused [bytes]. */
#define ABUT_TETFILE_MAX_BYTES (1024 * 1024 * 1024)

/** A mesh from a file, with the names that the file gives to its parts. */
typedef struct abut_tetfile {
    abut_vec3 *vertices; /**< [vertex_count] finite; every vertex is a corner of an element */
    /**
     * [vertex_count] numbers in the file: Gmsh's node tags, TetGen's first column, VTK's index from 0, Medit's from 1, Abaqus's number. In an Abaqus file with
     * several parts, the numbers of the second and later ones are added to the largest before.
     */
    int64_t *vertex_tags;
    int32_t vertex_count; /**< at least 1 */
    int32_t *elements;    /**< [4 element_count] indices into vertices */
    /** [element_count] numbers in the file; in VTK the index among all cells, from 0; in Medit that among the tetrahedra, from 1; in Abaqus as for vertices */
    int64_t *element_tags;
    /**
     * [element_count] the part of each element. Gmsh: the physical group (0: none), or the geometric entity in a file whose tetrahedra are in no group. TetGen:
     * the first attribute, 0 when it is not a whole number. Medit: the reference. Abaqus: the number of the part, from 1, in a file with several. NULL: the
     * file does not distinguish parts.
     */
    int32_t *regions;
    int32_t element_count; /**< at least 1 */
    /**
     * Elements of negative volume: dot(cross(q - p, r - p), s - p) < 0 for corners p, q, r, s. If all elements are inverted, the file uses the opposite
     * winding; if some are, these are inside out.
     */
    int32_t inverted_count;
    int32_t flat_count;   /**< elements whose volume is zero within rounding error; not counted as inverted */
    int64_t unused_count; /**< vertices that were dropped because no tetrahedron uses them */
    int64_t other_count;  /**< cells that were skipped because they are not tetrahedra */
} abut_tetfile;

/**
 * Reads the tetrahedra of a file. The ending of the file's name selects the format: .msh, .node, .ele, .vtk, .vtu, .mesh, .inp, in
 * any case. "-" is the standard input, whose first bytes select the format; not TetGen's two files.
 *
 * @param file   receives the mesh, to be freed with abut_tetfile_destroy(); untouched on an error
 * @param error  its message begins with "FILE:LINE: " or "FILE:LINE:COLUMN: " for text, "FILE: byte N: " for binary files
 * @return ABUT_OK; ABUT_ERROR_FILE when the file (or its partner .node, .ele) is missing, unreadable, a folder or too large; ABUT_ERROR_FORMAT when its
 *         contents are malformed (counts beyond its end, indices of missing vertices, vertices that are not finite, one number for two vertices, elements of
 *         unknown type, unknown version, truncated file) or it has no tetrahedra; ABUT_ERROR_INVALID_ARGUMENT for NULL; ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_tetfile_load(const char *path, abut_tetfile **file, abut_error *error);

/** The mesh for the functions of abut/tetra_mesh.h; valid as long as the file is. */
static inline abut_tetra_mesh abut_tetfile_mesh(const abut_tetfile *file) {
    abut_tetra_mesh mesh = {file->vertices, file->vertex_count, file->elements, file->element_count};
    return mesh;
}

/** NULL does nothing. */
ABUT_API void abut_tetfile_destroy(abut_tetfile *file);

#ifdef __cplusplus
}
#endif
