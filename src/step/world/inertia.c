/* Principal axes by Jacobi's method: each rotation in a coordinate plane makes one off-diagonal entry zero; the three planes take turns. */
#include "step/world/inertia.h"

#include "base/elementary.h"

/* Off-diagonal entries below this, relative to the trace, are rounding errors. */
static const double negligible = 1e-15;

/* R^T m R: the matrix m in the frame that is rotated by R. */
static abut_mat3 in_frame(abut_mat3 m, abut_quat turn) {
    abut_mat3 r = abut_mat3_from_quat(turn);
    return abut_mat3_mul(abut_mat3_transpose(r), abut_mat3_mul(m, r));
}

/* The angle of rotation about the third axis that makes the entry pq of a symmetric matrix zero. Of the two solutions it is the smaller one. */
static double jacobi_angle(double pp, double pq, double qq) {
    double difference = qq - pp;
    double t = 2.0 * pq / (fabs(difference) + sqrt(difference * difference + 4.0 * pq * pq));
    return difference > 0.0 ? -elementary_atan(t) : elementary_atan(t);
}

abut_quat inertia_principal(abut_mat3 inertia, abut_vec3 *moments) {
    abut_quat frame = abut_quat_identity();
    abut_mat3 m = inertia;
    double small = negligible * (inertia.x.x + inertia.y.y + inertia.z.z);
    for (int sweep = 0; sweep < 20; sweep++) {
        if (fabs(m.y.x) <= small && fabs(m.z.x) <= small && fabs(m.z.y) <= small) {
            break;
        }
        for (int axis = 0; axis < 3; axis++) {
            abut_vec3 about = abut_vec3_make(axis == 0, axis == 1, axis == 2);
            double angle = axis == 0   ? jacobi_angle(m.y.y, m.z.y, m.z.z)
                           : axis == 1 ? jacobi_angle(m.z.z, m.z.x, m.x.x)
                                       : jacobi_angle(m.x.x, m.y.x, m.y.y);
            if (angle != 0.0 && isfinite(angle)) {
                frame = abut_quat_unit(abut_quat_mul(frame, abut_quat_about(about, angle)));
                m = in_frame(inertia, frame);
            }
        }
    }
    *moments = abut_vec3_make(m.x.x, m.y.y, m.z.z);
    return frame;
}
