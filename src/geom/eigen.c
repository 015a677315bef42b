/*
 * The eigenvector of the smallest eigenvalue of a symmetric 3 x 3 matrix, by Jacobi's rotations: slower than the roots of the characteristic
 * polynomial, but right to the last digits also where two eigenvalues are equal, and without functions of the C library that differ from machine to
 * machine.
 */
#include "geom/eigen.h"

/* A rotation in the plane of two axes that makes their entry zero: d_p, d_q the two diagonal entries, o the entry between them, a and b those
 * to the third axis, and the columns of what was rotated so far. */
static void rotate(double *dp, double *dq, double *o, double *a, double *b, abut_vec3 *p, abut_vec3 *q) {
    if (*o == 0.0) {
        return;
    }
    double half = 0.5 * (*dq - *dp) / *o;
    double tangent = (half >= 0.0 ? 1.0 : -1.0) / (fabs(half) + sqrt(half * half + 1.0));
    double cosine = 1.0 / sqrt(tangent * tangent + 1.0), sine = tangent * cosine;
    *dp -= tangent * *o;
    *dq += tangent * *o;
    *o = 0.0;
    double first = *a, second = *b;
    *a = cosine * first - sine * second;
    *b = sine * first + cosine * second;
    abut_vec3 u = *p, v = *q;
    *p = abut_sub(abut_scale(cosine, u), abut_scale(sine, v));
    *q = abut_add(abut_scale(sine, u), abut_scale(cosine, v));
}

abut_vec3 eigen_smallest(sym3 m) {
    const int most_sweeps = 30; /* convergence is quadratic: five or six */
    double size = m.xx + m.yy + m.zz;
    abut_mat3 axes = abut_identity_mat3();
    if (!isfinite(size)) {
        return abut_make_vec3(0.0, 0.0, 0.0);
    }
    for (int sweep = 0; sweep < most_sweeps && fabs(m.xy) + fabs(m.xz) + fabs(m.yz) > 1e-18 * size; ++sweep) {
        rotate(&m.xx, &m.yy, &m.xy, &m.xz, &m.yz, &axes.x, &axes.y);
        rotate(&m.xx, &m.zz, &m.xz, &m.xy, &m.yz, &axes.x, &axes.z);
        rotate(&m.yy, &m.zz, &m.yz, &m.xy, &m.xz, &axes.y, &axes.z);
    }
    return abut_unit(m.xx <= m.yy && m.xx <= m.zz ? axes.x : m.yy <= m.zz ? axes.y : axes.z);
}

bool eigen_is_above(sym3 m, double bound) {
    double trace = m.xx + m.yy + m.zz, rounding = 1e-14 * trace;
    bound += rounding;
    double x = m.xx - bound, y = m.yy - bound, z = m.zz - bound;
    double minor = x * y - m.xy * m.xy;
    double determinant = x * (y * z - m.yz * m.yz) - m.xy * (m.xy * z - m.yz * m.xz) + m.xz * (m.xy * m.yz - y * m.xz);
    return x > rounding && minor > rounding * trace && determinant > rounding * trace * trace;
}
