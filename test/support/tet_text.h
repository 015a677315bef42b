#pragma once

#include "support/mesh_text.h"
#include "io/tet/read.h"

/*
 * Shared parts of the tests of tetrahedron files: two tetrahedra, loading with an expected outcome, and damaged files.
 */

/* Two tetrahedra that share a face, the second inside out. Every file has a sixth vertex between the second and the third; only a triangle uses it. */
enum { PAIR_VERTICES = 6, PAIR_UNUSED = 2 };

static const double pair_vertices[PAIR_VERTICES][3] = {{0, 0, 0}, {1.0 / 3.0, 0, 0}, {9, 9, 9}, {0, 1, 0}, {0, 0, 1}, {-0.25, -1e-3, -7e5}};
static const int pair_elements[2][4] = {{0, 1, 3, 4}, {0, 1, 3, 5}};

static inline abut_tetfile *load_tets(const char *path) {
    abut_tetfile *file = NULL;
    abut_error error = {ABUT_OK, ""};
    if (abut_tetfile_load(path, &file, &error) != ABUT_OK) {
        fail_msg("%s", error.message);
    }
    assert_non_null(file);
    return file;
}

/* The two tetrahedra; their vertices have these numbers in the file. */
static inline void assert_pair(const char *path, const int64_t tags[PAIR_VERTICES], const int64_t element_tags[2], const int32_t *regions,
                               int64_t others) {
    abut_tetfile *file = load_tets(path);
    abut_tetra_mesh mesh = abut_tetfile_mesh(file);
    assert_int_equal(mesh.vertex_count, PAIR_VERTICES - 1);
    assert_int_equal(mesh.element_count, 2);
    for (int v = 0; v < PAIR_VERTICES; v++) {
        int kept = v - (v > PAIR_UNUSED);
        if (v != PAIR_UNUSED) {
            assert_memory_equal(&mesh.vertices[kept], pair_vertices[v], sizeof pair_vertices[v]);
            assert_int_equal(file->vertex_tags[kept], tags[v]);
        }
    }
    for (int i = 0; i < 8; i++) {
        int v = pair_elements[i / 4][i % 4];
        assert_int_equal(mesh.elements[i], v - (v > PAIR_UNUSED));
    }
    for (int e = 0; e < 2; e++) {
        assert_int_equal(file->element_tags[e], element_tags[e]);
    }
    assert_true((regions != NULL) == (file->regions != NULL));
    if (regions) {
        assert_memory_equal(file->regions, regions, 2 * sizeof *regions);
    }
    assert_int_equal(file->inverted_count, 1);
    assert_int_equal(file->flat_count, 0);
    assert_int_equal(file->unused_count, 1);
    assert_int_equal(file->other_count, others);
    abut_tetfile_destroy(file);
}

/* The message must be the path `named`, directly followed by `part`. */
static inline void assert_tets_refused_as(const char *path, const char *named, abut_status expected, const char *part) {
    abut_tetfile *file = NULL;
    abut_error error = {ABUT_OK, ""};
    abut_status status = abut_tetfile_load(path, &file, &error);
    if (status != expected) {
        fail_msg("%s instead of %s (%s): %s", abut_status_name(status), abut_status_name(expected), part, error.message);
    }
    assert_null(file);
    assert_int_equal(error.status, expected);
    if (strncmp(error.message, named, strlen(named)) != 0 || strncmp(error.message + strlen(named), part, strlen(part)) != 0) {
        fail_msg("'%s' is not behind the path in '%s'", part, error.message);
    }
}

static inline void assert_tets_refused(const char *path, const char *part) { assert_tets_refused_as(path, path, ABUT_ERROR_FORMAT, part); }

/* No file truncated by `least` bytes or more is accepted. */
static inline void assert_cut_refused(const char *name, const mesh_bytes *whole, size_t least) {
    for (size_t size = 0; size + least <= whole->size; size++) {
        abut_tetfile *file = NULL;
        abut_status status = abut_tetfile_load(scratch_write(name, whole->bytes, size), &file, NULL);
        if (status != ABUT_ERROR_FORMAT) {
            fail_msg("%s cut to %zu of %zu bytes: %s", name, size, whole->size, abut_status_name(status));
        }
    }
}
