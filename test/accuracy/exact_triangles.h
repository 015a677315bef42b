#pragma once

#include <abut/math.h>
#include <gmp.h>

/*
 * Two triangles in exact arithmetic, by the definitions: the least of |x - y| over all pairs of faces (corners, edges, faces) of both, each solved by Cramer's
 * rule, and penetration by separating planes. Shares no code with the library. Triangles may be segments or points.
 */

typedef struct exact_pair {
    abut_vec3 p[3], q[3];
} exact_pair;

/* The squared distance. The caller has initialised it. */
void exact_distance_squared(const exact_pair *pair, mpq_t square);

/* Corners are whole numbers below 2^11 by size. 0: apart; 1: common points, and a plane separates the two; 2: one goes through the other. */
int exact_small_relation(const exact_pair *pair);

/* The same for any corners; slow. */
int exact_relation(const exact_pair *pair);

/* The shortest translation that takes two triangles that cross apart, squared: the least overlap along the normals of the faces of P - Q. Unset if all sides
 * are parallel to one plane. */
void exact_depth_squared(const exact_pair *pair, mpq_t square);

/* Square root, rounded to 200 bits and then to a double. */
double exact_root(const mpq_t square);
