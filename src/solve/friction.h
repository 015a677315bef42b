#pragma once

/*
 * Coulomb friction at one contact, both tangents at once.
 *
 * The tangential velocity is b + M l for the tangential impulse l, with M symmetric and positive definite. Returned is the l of the
 * friction disc |l| <= bound that dissipates most: the velocity vanishes when such an l exists (sticking), and else |l| = bound with the
 * velocity opposite to l (sliding).
 */

typedef struct friction_matrix {
    double xx, xy, yy;
} friction_matrix;

typedef struct friction_vector {
    double x, y;
} friction_vector;

friction_vector friction_solve(friction_matrix m, friction_vector b, double bound);
