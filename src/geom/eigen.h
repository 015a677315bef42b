#pragma once

#include <abut/math.h>

/* A symmetric 3 x 3 matrix. */
typedef struct sym3 {
    double xx, yy, zz, xy, xz, yz;
} sym3;

static inline abut_vec3 sym3_mul(sym3 m, abut_vec3 v) {
    return abut_vec3_make(m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z, m.xz * v.x + m.yz * v.y + m.zz * v.z);
}

/* m + s v v^T */
static inline sym3 sym3_add_outer(sym3 m, double s, abut_vec3 v) {
    double x = s * v.x, y = s * v.y, z = s * v.z;
    return (sym3){m.xx + x * v.x, m.yy + y * v.y, m.zz + z * v.z, m.xy + x * v.y, m.xz + x * v.z, m.yz + y * v.z};
}

static inline sym3 sym3_add(sym3 p, sym3 q) { return (sym3){p.xx + q.xx, p.yy + q.yy, p.zz + q.zz, p.xy + q.xy, p.xz + q.xz, p.yz + q.yz}; }

/* The unit vector that a positive semidefinite matrix stretches least, of either sign; any of them if there are several. Zero for a matrix
 * that is not finite. Entries must lie within 1e-90 and 1e90, so that they can be cubed. */
abut_vec3 eigen_smallest(sym3 m);

/* True when n . m n exceeds the bound for every unit vector n: m - bound is positive definite by more than rounding error. A quick test; it
 * returns false when the case is close. */
bool eigen_is_above(sym3 m, double bound);
