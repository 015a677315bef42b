/*
 * The eigenvector of the smallest eigenvalue of a symmetric 3 x 3 matrix. Laguerre's method finds the smallest root of the characteristic
 * polynomial; it converges from below in two or three steps. The eigenvector is perpendicular to the rows of m - root. If the residual
 * shows that digits were lost, because eigenvalues are close or all are small beside the largest one, Jacobi's rotations compute it again;
 * they are slower but right to the last digits. Square roots are the only functions of the C library that we use: the last digits of others
 * differ from machine to machine.
 */
#include "geom/eigen.h"

/* ---- Jacobi's rotations ---- */

/* Rotates the plane of two axes so that their entry becomes zero. d_p and d_q are the diagonal entries, o is the entry between them, a and
 * b are the entries to the third axis, p and q are columns of the accumulated rotation. */
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

static abut_vec3 smallest_by_rotations(sym3 m) {
    const int most_sweeps = 30; /* convergence is quadratic: five or six are enough */
    double size = m.xx + m.yy + m.zz;
    abut_mat3 axes = abut_mat3_identity();
    for (int sweep = 0; sweep < most_sweeps && fabs(m.xy) + fabs(m.xz) + fabs(m.yz) > 1e-18 * size; ++sweep) {
        rotate(&m.xx, &m.yy, &m.xy, &m.xz, &m.yz, &axes.x, &axes.y);
        rotate(&m.xx, &m.zz, &m.xz, &m.xy, &m.yz, &axes.x, &axes.z);
        rotate(&m.yy, &m.zz, &m.yz, &m.xy, &m.xz, &axes.y, &axes.z);
    }
    return abut_unit(m.xx <= m.yy && m.xx <= m.zz ? axes.x : m.yy <= m.zz ? axes.y : axes.z);
}

/* ---- the characteristic polynomial ---- */

/* Negative when the second root is so small that rounding error may have moved both: the determinant is known to 1e-16 of the cubed trace. */
static double smallest_root(sym3 m) {
    const int most_steps = 8;
    const double least_minors = 1e-7;
    double trace = m.xx + m.yy + m.zz;
    double minors = m.xx * m.yy - m.xy * m.xy + m.xx * m.zz - m.xz * m.xz + m.yy * m.zz - m.yz * m.yz;
    double determinant = m.xx * (m.yy * m.zz - m.yz * m.yz) - m.xy * (m.xy * m.zz - m.yz * m.xz) + m.xz * (m.xy * m.yz - m.yy * m.xz);
    if (!(minors > least_minors * trace * trace)) {
        return -1.0;
    }
    double root = 0.0;
    for (int i = 0; i < most_steps; ++i) {
        /* Before its smallest root, f falls and bends upward. */
        double f = ((trace - root) * root - minors) * root + determinant, slope = minors - (2.0 * trace - 3.0 * root) * root;
        double bend = 2.0 * trace - 6.0 * root, under = 4.0 * slope * slope - 6.0 * f * bend;
        double step = 3.0 * f / (slope + sqrt(under > 0.0 ? under : 0.0));
        if (!(step > 1e-15 * trace)) {
            break;
        }
        root += step;
    }
    return root;
}

/* The direction perpendicular to the two rows of m - root that differ most in direction. */
static abut_vec3 across_rows(sym3 m, double root) {
    abut_vec3 x = abut_vec3_make(m.xx - root, m.xy, m.xz), y = abut_vec3_make(m.xy, m.yy - root, m.yz);
    abut_vec3 z = abut_vec3_make(m.xz, m.yz, m.zz - root);
    abut_vec3 best = abut_cross(x, y), yz = abut_cross(y, z), zx = abut_cross(z, x);
    best = abut_length_squared(yz) > abut_length_squared(best) ? yz : best;
    best = abut_length_squared(zx) > abut_length_squared(best) ? zx : best;
    return abut_unit(best);
}

/* ---- both ---- */

abut_vec3 eigen_smallest(sym3 m) {
    double size = m.xx + m.yy + m.zz;
    if (!isfinite(size)) {
        return abut_vec3_make(0.0, 0.0, 0.0);
    }
    double root = smallest_root(m);
    if (root < 0.0) {
        return smallest_by_rotations(m);
    }
    abut_vec3 n = across_rows(m, root), mn = sym3_mul(m, n);
    double residual = abut_length_squared(abut_add_scaled(mn, -abut_dot(n, mn), n));
    bool right = residual <= 1e-30 * size * size && abut_dot(n, mn) - root <= 1e-14 * size && abut_length_squared(n) > 0.5;
    return right ? n : smallest_by_rotations(m);
}

bool eigen_is_above(sym3 m, double bound) {
    double trace = m.xx + m.yy + m.zz, rounding = 1e-14 * trace;
    bound += rounding;
    double x = m.xx - bound, y = m.yy - bound, z = m.zz - bound;
    double minor = x * y - m.xy * m.xy;
    double determinant = x * (y * z - m.yz * m.yz) - m.xy * (m.xy * z - m.yz * m.xz) + m.xz * (m.xy * m.yz - y * m.xz);
    return x > rounding && minor > rounding * trace && determinant > rounding * trace * trace;
}
