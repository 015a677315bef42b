#pragma once

/*
 * Coulomb friction at one contact, both tangents at once.
 *
 * The tangential velocity is b + M l for the tangential impulse l, with M symmetric and positive definite. Returned is the l of the
 * friction disc |l| <= bound that dissipates most: the velocity vanishes when such an l exists (sticking), and else |l| = bound with the
 * velocity opposite to l (sliding), velocity = -slip l.
 */

typedef struct friction_matrix {
    double xx, xy, yy;
} friction_matrix;

typedef struct friction_vector {
    double x, y;
} friction_vector;

/* *slip >= 0 is a guess, such as the slip of the last time, 0 for none; the time depends on it, and of the result what lies within a relative
 * error of 1e-9 or so. It receives the slip; it stays as it is when the contact sticks. */
friction_vector friction_solve(friction_matrix m, friction_vector b, double bound, double *slip);

/* The same for a contact that is known to slide: the impulse at which it would stick is beyond the bound. */
friction_vector friction_slide(friction_matrix m, friction_vector b, double bound, double *slip);
