#pragma once

#include <math.h>

#include <abut/base.h>

/**
 * @file math.h
 * Vectors, rotations and poses: plain structs by value, in double precision.
 *
 * Right-handed frames, column vectors. A pose maps points of a body's own frame into the world: world = rotation * local + position.
 */

#ifdef __cplusplus
extern "C" {
#endif

/** A point, a direction or a force. */
typedef struct abut_vec3 {
    double x; /**< along the frame's first axis */
    double y; /**< along its second */
    double z; /**< along its third */
} abut_vec3;

/** A rotation as a unit quaternion x i + y j + z k + w. The identity is {0, 0, 0, 1}. */
typedef struct abut_quat {
    double x; /**< of i */
    double y; /**< of j */
    double z; /**< of k */
    double w; /**< the real part */
} abut_quat;

/** A 3 x 3 matrix by its columns: M v = x v.x + y v.y + z v.z. */
typedef struct abut_mat3 {
    abut_vec3 x; /**< first column: where the first axis goes */
    abut_vec3 y; /**< second column */
    abut_vec3 z; /**< third column */
} abut_mat3;

/** A rigid placement: a point p of the body's frame lies at rotation * p + position in the world. */
typedef struct abut_pose {
    abut_vec3 position; /**< of the body frame's origin, world frame */
    abut_quat rotation; /**< body to world */
} abut_pose;

/** How a body or a frame moves: a pair of velocities. World frame. Zero-initialised: it rests. */
typedef struct abut_motion {
    abut_vec3 linear;  /**< velocity of the reference point that the user of the struct names [length / time] */
    abut_vec3 angular; /**< angular velocity [rad / time] */
} abut_motion;

/** An axis-aligned box; empty when a lower bound exceeds its upper one. */
typedef struct abut_aabb {
    abut_vec3 lower; /**< the corner with the smallest coordinates */
    abut_vec3 upper; /**< the corner with the largest coordinates */
} abut_aabb;

static inline abut_vec3 abut_vec3_make(double x, double y, double z) { abut_vec3 v = {x, y, z}; return v; }
static inline abut_vec3 abut_add(abut_vec3 a, abut_vec3 b) { return abut_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline abut_vec3 abut_sub(abut_vec3 a, abut_vec3 b) { return abut_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline abut_vec3 abut_neg(abut_vec3 a) { return abut_vec3_make(-a.x, -a.y, -a.z); }
static inline abut_vec3 abut_scale(double s, abut_vec3 a) { return abut_vec3_make(s * a.x, s * a.y, s * a.z); }
/** a + s b */
static inline abut_vec3 abut_add_scaled(abut_vec3 a, double s, abut_vec3 b) {
    return abut_vec3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
/** (1 - t) a + t b */
static inline abut_vec3 abut_lerp(abut_vec3 a, abut_vec3 b, double t) { return abut_add_scaled(a, t, abut_sub(b, a)); }
static inline double abut_dot(abut_vec3 a, abut_vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline abut_vec3 abut_cross(abut_vec3 a, abut_vec3 b) {
    return abut_vec3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline double abut_length_squared(abut_vec3 a) { return abut_dot(a, a); }
static inline double abut_length(abut_vec3 a) { return sqrt(abut_dot(a, a)); }
static inline double abut_distance_between(abut_vec3 a, abut_vec3 b) { return abut_length(abut_sub(a, b)); }
static inline bool abut_vec3_is_finite(abut_vec3 a) { return isfinite(a.x) && isfinite(a.y) && isfinite(a.z); }

/** a / |a|, computed without overflow or underflow; the zero vector for a zero or non-finite a. */
static inline abut_vec3 abut_unit(abut_vec3 a) {
    double square = a.x * a.x + a.y * a.y + a.z * a.z;
    if (square > 1e-200 && square < 1e200) {
        double length = sqrt(square);
        return abut_vec3_make(a.x / length, a.y / length, a.z / length);
    }
    double x = fabs(a.x), y = fabs(a.y), z = fabs(a.z), largest = x > y ? x : y;
    largest = z > largest ? z : largest;
    if (!(largest > 0.0 && x + y + z < INFINITY)) {
        return abut_vec3_make(0.0, 0.0, 0.0);
    }
    abut_vec3 b = abut_vec3_make(a.x / largest, a.y / largest, a.z / largest);
    double length = abut_length(b);
    return abut_vec3_make(b.x / length, b.y / length, b.z / length);
}

/** Two unit vectors that make a right-handed orthonormal frame (first, second, n) with the unit vector n; a pure function of n. */
static inline void abut_tangent_frame(abut_vec3 n, abut_vec3 *first, abut_vec3 *second) {
    /* The axis least aligned with n gives the best conditioned cross product. */
    double ax = fabs(n.x), ay = fabs(n.y), az = fabs(n.z);
    abut_vec3 axis = ax <= ay && ax <= az ? abut_vec3_make(1, 0, 0) : ay <= az ? abut_vec3_make(0, 1, 0) : abut_vec3_make(0, 0, 1);
    *first = abut_unit(abut_cross(axis, n));
    *second = abut_cross(n, *first);
}

static inline abut_quat abut_quat_make(double x, double y, double z, double w) { abut_quat q = {x, y, z, w}; return q; }
static inline abut_quat abut_quat_identity(void) { return abut_quat_make(0, 0, 0, 1); }
/** Turns by the angle [rad] about the unit axis, right-handed. Not inline like the rest: its sine and cosine are abut's own, the same on every machine. */
ABUT_API abut_quat abut_quat_about(abut_vec3 axis, double angle);
/** The rotation that applies q first, then p. */
static inline abut_quat abut_quat_mul(abut_quat p, abut_quat q) {
    return abut_quat_make(p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y, p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x,
                          p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w, p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z);
}
static inline abut_quat abut_quat_conjugate(abut_quat q) { return abut_quat_make(-q.x, -q.y, -q.z, q.w); }
static inline double abut_quat_norm(abut_quat q) { return sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w); }
/** q / |q|; the identity for a zero quaternion. */
static inline abut_quat abut_quat_unit(abut_quat q) {
    double norm = abut_quat_norm(q);
    return norm > 0.0 ? abut_quat_make(q.x / norm, q.y / norm, q.z / norm, q.w / norm) : abut_quat_identity();
}

static inline abut_mat3 abut_mat3_make(abut_vec3 x, abut_vec3 y, abut_vec3 z) { abut_mat3 m = {x, y, z}; return m; }
static inline abut_mat3 abut_mat3_identity(void) {
    return abut_mat3_make(abut_vec3_make(1, 0, 0), abut_vec3_make(0, 1, 0), abut_vec3_make(0, 0, 1));
}
/** The rotation matrix of q; q need not be exactly normalised. */
static inline abut_mat3 abut_mat3_from_quat(abut_quat q) {
    double s = 2.0 / (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    double xx = s * q.x * q.x, yy = s * q.y * q.y, zz = s * q.z * q.z;
    double xy = s * q.x * q.y, xz = s * q.x * q.z, yz = s * q.y * q.z;
    double wx = s * q.w * q.x, wy = s * q.w * q.y, wz = s * q.w * q.z;
    return abut_mat3_make(abut_vec3_make(1.0 - yy - zz, xy + wz, xz - wy), abut_vec3_make(xy - wz, 1.0 - xx - zz, yz + wx),
                          abut_vec3_make(xz + wy, yz - wx, 1.0 - xx - yy));
}
/** M v */
static inline abut_vec3 abut_mat3_apply(abut_mat3 m, abut_vec3 v) {
    return abut_vec3_make(m.x.x * v.x + m.y.x * v.y + m.z.x * v.z, m.x.y * v.x + m.y.y * v.y + m.z.y * v.z,
                          m.x.z * v.x + m.y.z * v.y + m.z.z * v.z);
}
/** M^T v: the inverse rotation when M is a rotation. */
static inline abut_vec3 abut_mat3_apply_transposed(abut_mat3 m, abut_vec3 v) {
    return abut_vec3_make(abut_dot(m.x, v), abut_dot(m.y, v), abut_dot(m.z, v));
}
/** L M */
static inline abut_mat3 abut_mat3_mul(abut_mat3 l, abut_mat3 m) {
    return abut_mat3_make(abut_mat3_apply(l, m.x), abut_mat3_apply(l, m.y), abut_mat3_apply(l, m.z));
}
static inline abut_mat3 abut_mat3_transpose(abut_mat3 m) {
    return abut_mat3_make(abut_vec3_make(m.x.x, m.y.x, m.z.x), abut_vec3_make(m.x.y, m.y.y, m.z.y), abut_vec3_make(m.x.z, m.y.z, m.z.z));
}

static inline abut_pose abut_pose_identity(void) {
    abut_pose pose = {{0, 0, 0}, {0, 0, 0, 1}};
    return pose;
}
/** q v q*: turns a direction from the body's frame into the world. */
static inline abut_vec3 abut_quat_rotate(abut_quat q, abut_vec3 v) { return abut_mat3_apply(abut_mat3_from_quat(q), v); }
static inline abut_vec3 abut_quat_rotate_inverse(abut_quat q, abut_vec3 v) { return abut_mat3_apply_transposed(abut_mat3_from_quat(q), v); }
/** A point of the body's frame in the world. */
static inline abut_vec3 abut_pose_apply(abut_pose pose, abut_vec3 local) { return abut_add(abut_quat_rotate(pose.rotation, local), pose.position); }
/** A point of the world in the body's frame. */
static inline abut_vec3 abut_pose_apply_inverse(abut_pose pose, abut_vec3 world) {
    return abut_quat_rotate_inverse(pose.rotation, abut_sub(world, pose.position));
}
/** The pose that applies `inner` first, then `outer`. */
static inline abut_pose abut_pose_compose(abut_pose outer, abut_pose inner) {
    abut_pose pose = {abut_pose_apply(outer, inner.position), abut_quat_unit(abut_quat_mul(outer.rotation, inner.rotation))};
    return pose;
}
/** A pose that the library accepts: finite, and with a quaternion within 1e-6 of unit length (it is normalised on use). */
static inline bool abut_pose_is_valid(abut_pose pose) {
    return abut_vec3_is_finite(pose.position) && fabs(abut_quat_norm(pose.rotation) - 1.0) <= 1e-6;
}

#ifdef __cplusplus
}
#endif
