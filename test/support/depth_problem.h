#pragma once

#include <abut/tetra.h>

#include "support/qp.h"

/*
 * The separation of two simplices along a normal, as the quadratic program that it is, in every coordinate of every displacement: a referee
 * that shares nothing with the closed forms of src/tetra. The value of a solution is half of weight_a sigma_a + weight_b sigma_b, and
 * multipliers of the volume rows are half of the library's volume forces.
 *
 * Normals are unit, and point from B into A.
 */

typedef struct depth_pair {
    abut_simplex a, b;
    double weight_a, weight_b; /* INFINITY: static, its displacements are no variables; not both */
} depth_pair;

/* A above and B below some plane with this normal: a row for each two vertices. volume_ratio: V'/V of either body, with linear rows that are exact
 * for displacements along the normal; -INFINITY for none. */
void depth_problem_along(const depth_pair *pair, abut_vec3 normal, double volume_ratio, qp_problem *problem);

/* The same with the plane's offset as a last variable, and the vertices of the two sets (bits) on the plane; not both sets empty. */
void depth_problem_on_plane(const depth_pair *pair, abut_vec3 normal, unsigned set_a, unsigned set_b, qp_problem *problem);

/* One simplex below a given plane. */
void depth_problem_push(const abut_simplex *simplex, abut_vec3 normal, double offset, qp_problem *problem);

/* Displacements of a solution; of a static body zero. */
void depth_problem_displacements(const depth_pair *pair, const qp_solution *solution, abut_vec3 *displacement_a, abut_vec3 *displacement_b);

/* A direction of the paper's 44, turned so that B comes below A, and what the paper brings onto the plane. */
typedef struct depth_direction {
    abut_vec3 normal;
    unsigned set_a, set_b; /* bits of vertices */
    bool both_ways;        /* A's edge does not bound its projection: -normal is asked too */
} depth_direction;

enum { DEPTH_DIRECTIONS = 44 };

/* Of two tetrahedra; returns how many: parallel edges and flat faces give none. */
int32_t depth_directions(const abut_simplex *a, const abut_simplex *b, depth_direction *directions);
