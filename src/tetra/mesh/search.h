#pragma once

#include <abut/tetra_mesh.h>

/*
 * Which elements of a mesh meet which of another, or of itself, by a hierarchy of boxes. In ascending order of a, then b, however many
 * threads there are.
 */

/* The pairs that are asked for. */
typedef enum mesh_search_kind { MESH_SEARCH_BOXES, MESH_SEARCH_INTERSECTIONS } mesh_search_kind;

typedef struct mesh_search {
    const abut_tetra_mesh *a, *b; /* b NULL: a with itself */
    mesh_search_kind kind;
    /* By element; of one mesh with itself only the first of each two is read. */
    const uint8_t *changed_a, *changed_b; /* pairs of two that are not changed are left out; NULL: none */
    const int32_t *group_a, *group_b;     /* pairs of two of one group are left out, if it is not negative; NULL: none */
    const abut_parallel *parallel;
} mesh_search;

typedef struct mesh_found {
    int64_t count;  /* pairs there are */
    int64_t tested; /* pairs whose boxes meet */
} mesh_found;

/* The first `capacity` pairs into `pairs`. ABUT_OK also when there are more; ABUT_ERROR_OUT_OF_MEMORY. The meshes have been checked. */
abut_status mesh_search_into(const mesh_search *search, abut_element_pair *pairs, int64_t capacity, mesh_found *found);

/* All of them in a block of their own, to be released by the caller; NULL when there are none. */
abut_status mesh_search_all(const mesh_search *search, abut_element_pair **pairs, mesh_found *found);
