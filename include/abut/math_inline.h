#pragma once

/**
 * @file math_inline.h
 * Definitions of the functions of math.h that round. math.h includes this file when ABUT_INLINE_MATH is defined. The library compiles it once
 * for all other users. Never include it directly.
 */

#include <math.h>

#include <abut/math.h>

#if defined(ABUT_INLINE_MATH) || defined(ABUT_MATH_DEFINITIONS)

#ifdef __cplusplus
extern "C" {
#endif

ABUT_MATH bool abut_vec3_is_finite(abut_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }
ABUT_MATH abut_vec3 abut_add(abut_vec3 a, abut_vec3 b) { return abut_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z); }

ABUT_MATH abut_vec3 abut_sub(abut_vec3 a, abut_vec3 b) { return abut_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z); }

ABUT_MATH abut_vec3 abut_scale(double s, abut_vec3 a) { return abut_vec3_make(s * a.x, s * a.y, s * a.z); }

ABUT_MATH abut_vec3 abut_add_scaled(abut_vec3 a, double s, abut_vec3 b) {
    return abut_vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}

ABUT_MATH abut_vec3 abut_lerp(abut_vec3 a, abut_vec3 b, double t) { return abut_add_scaled(a, t, abut_sub(b, a)); }

ABUT_MATH double abut_dot(abut_vec3 a, abut_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

ABUT_MATH abut_vec3 abut_cross(abut_vec3 a, abut_vec3 b) {
    return abut_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

ABUT_MATH double abut_length_squared(abut_vec3 a) { return abut_dot(a, a); }

ABUT_MATH double abut_length(abut_vec3 a) { return sqrt(abut_dot(a, a)); }

ABUT_MATH double abut_distance_between(abut_vec3 a, abut_vec3 b) { return abut_length(abut_sub(a, b)); }

ABUT_MATH abut_vec3 abut_unit(abut_vec3 a) {
    double square = a.x * a.x + a.y * a.y + a.z * a.z;
    if (square > 1e-200 && square < 1e200) {
        double length = sqrt(square);
        return abut_vec3_make(a.x / length, a.y / length, a.z / length);
    }
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z), largest = x > y ? x : y;
    largest = z > largest ? z : largest;
    if (!(largest > 0.0 && x < INFINITY && y < INFINITY && z < INFINITY)) {
        return abut_vec3_make(0.0, 0.0, 0.0);
    }
    abut_vec3 b = abut_vec3_make(a.x / largest, a.y / largest, a.z / largest);
    double length = abut_length(b);
    return abut_vec3_make(b.x / length, b.y / length, b.z / length);
}

ABUT_MATH void abut_tangent_frame(abut_vec3 n, abut_vec3 *first, abut_vec3 *second) {
    /* The axis least aligned with n gives the best conditioned cross product. */
    double ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z);
    abut_vec3 axis = ax <= ay && ax <= az ? abut_vec3_make(1, 0, 0) : ay <= az ? abut_vec3_make(0, 1, 0) : abut_vec3_make(0, 0, 1);
    abut_vec3 across = abut_cross(axis, n);
    *first = abut_length_squared(across) == 1.0 ? across : abut_unit(across); /* already unit where n is an axis */
    *second = abut_cross(n, *first);
}

ABUT_MATH abut_quat abut_quat_mul(abut_quat p, abut_quat q) {
    return abut_quat_make(p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                          p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w, p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z);
}

ABUT_MATH double abut_quat_norm(abut_quat q) { return sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w); }

ABUT_MATH abut_quat abut_quat_unit(abut_quat q) {
    double norm = abut_quat_norm(q);
    return norm > 0.0 ? abut_quat_make(q.x / norm, q.y / norm, q.z / norm, q.w / norm) : abut_quat_identity();
}

ABUT_MATH abut_mat3 abut_mat3_from_quat(abut_quat q) {
    double s = 2.0 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    double xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
    double xy = s * q.x * q.y, xz = s * q.x * q.z, yz = s * q.y * q.z;
    double wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
    return abut_mat3_make(abut_vec3_make(1.0 - yy - zz, xy + wz, xz - wy), abut_vec3_make(xy - wz, 1.0 - xx - zz, yz + wx),
                          abut_vec3_make(xz + wy, yz - wx, 1.0 - xx - yy));
}

ABUT_MATH abut_vec3 abut_mat3_apply(abut_mat3 m, abut_vec3 v) {
    return abut_vec3_make(m.x.x * v.x + m.y.x * v.y + m.z.x * v.z, m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
                          m.x.z * v.x + m.y.z * v.y + m.z.z * v.z);
}

ABUT_MATH abut_vec3 abut_mat3_apply_transposed(abut_mat3 m, abut_vec3 v) {
    return abut_vec3_make(abut_dot(m.x, v), abut_dot(m.y, v), abut_dot(m.z, v));
}

ABUT_MATH abut_mat3 abut_mat3_mul(abut_mat3 l, abut_mat3 m) {
    return abut_mat3_make(abut_mat3_apply(l, m.x), abut_mat3_apply(l, m.y), abut_mat3_apply(l, m.z));
}

ABUT_MATH abut_vec3 abut_quat_rotate(abut_quat q, abut_vec3 v) { return abut_mat3_apply(abut_mat3_from_quat(q), v); }

ABUT_MATH abut_vec3 abut_quat_rotate_inverse(abut_quat q, abut_vec3 v) { return abut_mat3_apply_transposed(abut_mat3_from_quat(q), v); }

ABUT_MATH abut_vec3 abut_pose_apply(abut_pose pose, abut_vec3 local) { return abut_add(abut_quat_rotate(pose.rotation, local), pose.position); }

ABUT_MATH abut_vec3 abut_pose_apply_inverse(abut_pose pose, abut_vec3 world) {
    return abut_quat_rotate_inverse(pose.rotation, abut_sub(world, pose.position));
}

ABUT_MATH abut_pose abut_pose_compose(abut_pose outer, abut_pose inner) {
    abut_pose pose = {abut_pose_apply(outer, inner.position), abut_quat_unit(abut_quat_mul(outer.rotation, inner.rotation))};
    return pose;
}

ABUT_MATH bool abut_pose_is_valid(abut_pose pose) {
    return abut_vec3_is_finite(pose.position) && fabs(abut_quat_norm(pose.rotation) - 1.0) <= 1e-6;
}

#ifdef __cplusplus
}
#endif

#endif
