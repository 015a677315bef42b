#pragma once

#include <abut/tetra.h>

#include "support/qp.h"

/*
 * The separation of two simplices along a normal, as a quadratic program in every coordinate of every displacement. It is a reference that shares nothing with
 * the closed forms of src/tetra. The value of a solution is half of weight_a sigma_a + weight_b sigma_b. Multipliers of the volume rows are half of the
 * library's volume forces.
 *
 * Normals are unit, and point from B into A.
 */

typedef struct depth_pair {
    abut_simplex a, b;
    double weight_a, weight_b; /* INFINITY for a static body, whose displacements are no variables; at most one body is static */
} depth_pair;

/* A above and B below some plane with this normal: one row for each pair of vertices. volume_ratio: the bound of V'/V of either body, as linear rows that
 * are exact for displacements along the normal; -INFINITY for no bound. */
void depth_problem_along(const depth_pair *pair, abut_vec3 normal, double volume_ratio, qp_problem *problem);

/* The same, with the plane's offset as the last variable. The vertices in the two sets (bits) lie on the plane. At most one set is empty. */
void depth_problem_on_plane(const depth_pair *pair, abut_vec3 normal, unsigned set_a, unsigned set_b, qp_problem *problem);

/* One simplex below a given plane. */
void depth_problem_push(const abut_simplex *simplex, abut_vec3 normal, double offset, qp_problem *problem);

/* The displacements of a solution; zero for a static body. */
void depth_problem_displacements(const depth_pair *pair, const qp_solution *solution, abut_vec3 *displacement_a, abut_vec3 *displacement_b);

/* One of the paper's 44 directions, with the sign that puts B below A, and the vertices that the paper moves onto the plane. */
typedef struct depth_direction {
    abut_vec3 normal;
    unsigned set_a, set_b; /* bits of vertices */
    bool both_ways;        /* A's edge is not on the boundary of its projection, so -normal is tried too */
} depth_direction;

enum { DEPTH_DIRECTIONS = 44 };

/* For two tetrahedra. Returns the number of directions; parallel edges and flat faces give none. */
int32_t depth_directions(const abut_simplex *a, const abut_simplex *b, depth_direction *directions);
