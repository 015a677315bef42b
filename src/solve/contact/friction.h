#pragma once

/*
 * Coulomb friction at one contact, both tangents at once.
 *
 * For the tangential impulse l, the tangential velocity is b + M l, with M symmetric and positive definite. Returns the l of the friction
 * disc |l| <= bound with maximum dissipation. If some l on the disc makes the velocity zero, the contact sticks. Else it slides:
 * |l| = bound, and the velocity is opposite to l, velocity = -slip l.
 */

typedef struct friction_matrix {
    double xx, xy, yy;
} friction_matrix;

typedef struct friction_vector {
    double x, y;
} friction_vector;

/* On entry *slip >= 0 is a guess, such as the last slip, or 0 for none. It affects the time, and the result within a relative error of
 * about 1e-9. On return it is the slip; it is unchanged when the contact sticks. */
friction_vector friction_solve(friction_matrix m, friction_vector b, double bound, double *slip);

/* The same for a contact that is known to slide: the sticking impulse is beyond the bound. */
friction_vector friction_slide(friction_matrix m, friction_vector b, double bound, double *slip);
