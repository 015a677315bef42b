#pragma once

#include <abut/tetra_mesh.h>

/*
 * Finds the elements of a mesh that meet elements of another mesh or of itself, by a hierarchy of boxes. Pairs are in ascending order of a,
 * then b, for any number of threads.
 */

/* The kind of pairs. */
typedef enum mesh_search_kind { MESH_SEARCH_BOXES, MESH_SEARCH_INTERSECTIONS } mesh_search_kind;

typedef struct mesh_search {
    const abut_tetra_mesh *a, *b; /* b NULL: the mesh a with itself */
    mesh_search_kind kind;
    /* By element. For a mesh with itself, only the first of each two arrays is read. */
    const uint8_t *changed_a, *changed_b; /* omits pairs of two unchanged elements; NULL: omits none */
    const int32_t *group_a, *group_b;     /* omits pairs within one group, unless the group is negative; NULL: omits none */
    const abut_parallel *parallel;
} mesh_search;

typedef struct mesh_found {
    int64_t count;  /* number of pairs */
    int64_t tested; /* number of pairs whose boxes meet */
} mesh_found;

/* Writes the first `capacity` pairs. ABUT_OK also when there are more; ABUT_ERROR_OUT_OF_MEMORY. The meshes must be checked. */
abut_status mesh_search_into(const mesh_search *search, abut_element_pair *pairs, int64_t capacity, mesh_found *found);

/* All pairs in a new block, which the caller releases; NULL when there are none. */
abut_status mesh_search_all(const mesh_search *search, abut_element_pair **pairs, mesh_found *found);
