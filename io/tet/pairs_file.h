#pragma once

#include <abut/tetra_mesh.h>

#include "io/file/error.h"

/**
 * @file tet/pairs_file.h
 * Pairs of tetrahedra from a CSV file: one row for each pair, columns separated by commas. Two whole numbers are elements of meshes. 24 numbers are the corners
 * of two tetrahedra: x, y, z of the four corners of A, then those of B. All rows are of one kind.
 *
 * Blanks around numbers, empty lines, and everything after a # are skipped. So is one line of names before the first row.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** Files larger than this are refused [bytes]. */
#define ABUT_PAIRSFILE_MAX_BYTES (1024 * 1024 * 1024)

/** Pairs that were read. */
typedef struct abut_pairsfile {
    int32_t count;      /**< at least 1 */
    int64_t *elements;  /**< [count][2] numbers of elements, of A and of B; NULL when the rows are corners */
    abut_vec3 *corners; /**< [count][8] finite: four of A, four of B; NULL when the rows are elements */
    int32_t *lines;     /**< [count] line of each pair, from 1 */
} abut_pairsfile;

/**
 * Reads the pairs of a file.
 *
 * @param path   "-" is standard input, which messages call "<stdin>"
 * @param file   receives them, to be freed with abut_pairsfile_destroy(); untouched on an error
 * @param error  its message begins with "FILE:LINE: " when a row is wrong
 * @return ABUT_OK; ABUT_ERROR_FILE when the file is missing, unreadable, a folder or too large; ABUT_ERROR_FORMAT for a row that has neither 2 nor 24 columns,
 *         or another number than the first row, for something that is not a finite number, or for no row at all; ABUT_ERROR_INVALID_ARGUMENT for NULL;
 *         ABUT_ERROR_OUT_OF_MEMORY
 */
ABUT_API abut_status abut_pairsfile_load(const char *path, abut_pairsfile **file, abut_error *error);

/** NULL does nothing. */
ABUT_API void abut_pairsfile_destroy(abut_pairsfile *file);

#ifdef __cplusplus
}
#endif
