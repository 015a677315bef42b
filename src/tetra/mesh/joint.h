#pragma once

#include <abut/tetra_mesh.h>

#include "tetra/mesh/search.h"

/*
 * The two meshes that are separated, or the single mesh, as one set of vertices and elements. Those of B are numbered after those of A.
 */
typedef struct joint {
    abut_tetra_mesh mesh[2]; /* their current state; the second is empty without B */
    bool self;               /* one mesh with itself */
    int32_t vertex_count, element_count;
    abut_vec3 *begin;         /* [vertex_count] initial positions */
    abut_vec3 *at;            /* [vertex_count] current positions */
    double *mass;             /* [vertex_count] relative to the largest finite one; INFINITY: fixed */
    uint8_t *changed_vertex;  /* [vertex_count] since the last search */
    uint8_t *changed_element; /* [element_count] since the last search */
    double unit;              /* a power of two; lengths times this can be multiplied with each other */
    const abut_parallel *parallel;
    int64_t tested; /* pairs tested, over all searches */
} joint;

/* Checked meshes; the masses are NULL or checked. After ABUT_ERROR_OUT_OF_MEMORY there is nothing to release. */
abut_status joint_make(const abut_tetra_mesh *a, const abut_tetra_mesh *b, const double *mass_a, const double *mass_b,
                       const abut_parallel *parallel, joint *made);
void joint_release(joint *j);

/* The vertices of an element. */
static inline void joint_corners(const joint *j, int32_t element, int32_t corner[4]) {
    int second = element >= j->mesh[0].element_count;
    const int32_t *from = &j->mesh[second].elements[4 * (int64_t)(element - (second ? j->mesh[0].element_count : 0))];
    for (int i = 0; i < 4; i++) {
        corner[i] = from[i] + (second ? j->mesh[0].vertex_count : 0);
    }
}

/* The second element of a pair in the numbering of the joint. */
static inline int32_t joint_partner(const joint *j, int32_t b) { return j->self ? b : b + j->mesh[0].element_count; }

abut_simplex joint_element(const joint *j, int32_t element);

/* Moves a vertex and marks it as changed. */
void joint_move(joint *j, int32_t vertex, abut_vec3 to);

/* All intersecting pairs, in a block that the caller releases, or NULL for none. Clears all marks of change. */
abut_status joint_search(joint *j, abut_element_pair **pairs, int64_t *count);

/* The intersecting pairs with an element that changed since the last search, except pairs in one group: [element_count], negative for none. */
abut_status joint_search_changed(joint *j, const int32_t *group, abut_element_pair **pairs, int64_t *count);

/* sqrt(sum m |d|^2 / sum m) of the vertices that are not fixed, since the beginning; and the largest |d|. */
double joint_displacement(const joint *j, double *largest);
