#pragma once

#include "shape/shape.h"
#include "support/check.h"

/*
 * Invariants of every completed and measured surface, checked without the library's own functions. A violation fails the test.
 */

/* All checks below, for a box or a polytope. `tolerance`: of lengths, relative to the size. */
void surface_check(const abut_shape *shape, double tolerance);

/* Loops, edges and fans: counts, Euler's formula, neighbours, counter-clockwise order. */
void surface_check_topology(const polytope *surface);

/* Planes, convexity, angles, size. */
void surface_check_geometry(const polytope *surface, double tolerance);

/* Centroid, volume and both inner balls. */
void surface_check_measures(const polytope *surface, double volume, double tolerance);

/* The largest distance of a point outside a face plane. */
double surface_outside(const polytope *surface, abut_vec3 point);

/* The face with these vertices in this cyclic order; -1 if there is none. */
int32_t surface_find_face(const polytope *surface, const int32_t *vertices, int32_t count);

/* Exterior dihedral angle at edge e, by the arc cosine. */
double surface_edge_angle(const polytope *surface, int32_t edge);

/* The lists of two surfaces are equal, bit for bit. */
bool surface_equal(const polytope *a, const polytope *b);
